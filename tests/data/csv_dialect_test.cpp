// Files as other programs write them: delimiters, headers, line ends, encodings. Each is read as the plain file of the same
// content.
#include <taut/data/column.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/source.hpp>

#include <tests/support/files.hpp>

#include <cmath>

namespace taut {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::string>;

// The cells of a table as texts, so that tables with different category codes can be compared.
std::vector<Texts> cells_of(const Table& table) {
  std::vector<Texts> rows = {table.names()};
  for (Index row = 0; row < table.rows(); ++row) {
    Texts& cells = rows.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const double cell = table.values(row, static_cast<Index>(i));
      const Column& column = table.columns[i];
      cells.push_back(std::isnan(cell)          ? "missing"
                      : column.is_categorical() ? column.categories[static_cast<std::size_t>(cell)]
                                                : std::to_string(cell));
    }
  }
  return rows;
}

struct Written {
  std::string what;
  std::string bytes;
  std::string plain;
};

std::string utf16(std::string_view ascii, bool is_big) {
  std::string bytes;
  for (const char c : ascii) bytes += is_big ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

const std::vector<Written> files = {
    {"semicolons and decimal commas", "a;b;c\n1,5;2,5;x\n3,5;4,5;y\n", "a,b,c\n\"1,5\",\"2,5\",x\n\"3,5\",\"4,5\",y\n"},
    {"as many commas as semicolons", "a, in m;b\n1,5;2\n3,5;4\n", "\"a, in m\",b\n\"1,5\",2\n\"3,5\",4\n"},
    {"tabs and a comma in every name", "a, b\tc, d\n1\t2\n3\t4\n", "\"a, b\",\"c, d\"\n1,2\n3,4\n"},
    {"delimiters in quotes", "a|\"b;c;d;e\"\n\"1;2;3;4\"|5\n", "a,b;c;d;e\n1;2;3;4,5\n"},
    {"one column", "a\n1\n2\n", "\"a\"\n1\n2\n"},
    {"one column of decimal commas", "a\n1,5\n-2,25\nNA\n", "a\n\"1,5\"\n\"-2,25\"\nNA\n"},
    {"Excel's separator line", "sep=;\r\na;b,c\r\n1;2\r\n", "a,\"b,c\"\n1,2\n"},
    {"the same in quotes with a mark", "\xEF\xBB\xBF\"SEP=|\"\na|b\n1|2\n", "a,b\n1,2\n"},
    {"the same with a tab", "sep=\t\na\tb\n1\t2\n", "a,b\n1,2\n"},
    {"blanks before quotes", "a, \"b, c\", d\n1, \"x, \"\"y\"\"\" ,\t\"3\"\n", "a,\"b, c\",d\n1,\"x, \"\"y\"\"\",3\n"},
    {"quotes inside a cell", "a,b\n5\" pipe,1\n6\" pipe \"long\",2\n", "a,b\n\"5\"\" pipe\",1\n\"6\"\" pipe \"\"long\"\"\",2\n"},
    {"carriage returns alone", "a,b\r1,x\r2,\"y\rz\"\r", "a,b\n1,x\n2,\"y\nz\"\n"},
    {"line ends of both kinds", "a,b\r\n1,x\n\r\n2,y\r\n", "a,b\n1,x\n2,y\n"},
    {"UTF-16 LE with a mark", "\xFF\xFE" + utf16("a,b\r\n1,x\r\n", false), "a,b\n1,x\n"},
    {"UTF-16 BE with a mark", "\xFE\xFF" + utf16("a,b\n1,x\n", true), "a,b\n1,x\n"},
    {"UTF-16 LE by its zeros", utf16("a,b\n1,x\n", false), "a,b\n1,x\n"},
    {"UTF-16 BE by its zeros", utf16("a,b\n1,x\n", true), "a,b\n1,x\n"},
    {"UTF-16 beyond ASCII", "\xFF\xFE"s + utf16("a\n", false) + "\xE9\0\xAC\x20\x3D\xD8\x00\xDE\x00\xDC"s,
     "a\né€😀\xEF\xBF\xBD\n"},
    {"Latin-1",
     "gr\xF6\xDF"
     "e,b\nStra\xDF"
     "e,\"caf\xE9, au lait\"\n",
     "größe,b\nStraße,\"café, au lait\"\n"},
    {"Windows-1252", "a,b\n\x80\x93x\x94,1\n", "a,b\n€“x”,1\n"},
    {"UTF-8 and Latin-1 mixed", "a,b\ncaf\xC3\xA9,1\ncaf\xE9,2\n\xF0\x9F\x98\x80,3\n", "a,b\ncafé,1\ncafé,2\n😀,3\n"},
    {"row numbers of pandas", ",x\n0,5\n1,6\n", "column 1,x\n0,5\n1,6\n"},
    {"a trailing comma everywhere", "a,b,\n1,2,\n3,4,\n", "a,b,column 3\n1,2,\n3,4,\n"},
    {"a trailing comma in all rows", "a,b\n1,2,\n3,4,\n", "a,b,column 3\n1,2,\n3,4,\n"},
    {"a name twice", "x,y,x, x \n1,2,3,4\n", "x (column 1),y,x (column 3),x (column 4)\n1,2,3,4\n"},
    {"names that look positional", "column 2,,x,x (column 4),x\n1,2,3,4,5\n",
     "column 2,column 2 (column 2),x (column 3),x (column 4),x (column 5)\n1,2,3,4,5\n"},
    {"blanks between cells", "a b  c\n1 2  x\n 3\t4 y \n", "a,b,c\n1,2,x\n3,4,y\n"},
    {"blanks with quotes", "\"a\" \"b c\"\n1 \"x \"\"y\"\"\"\n2  \"z\"\n", "a,b c\n1,\"x \"\"y\"\"\"\n2,z\n"},
    {"row names of R", "\"a\" \"b\"\n\"1\" 5 x\n\"2\" 6 y\n", "column 1,a,b\n1,5,x\n2,6,y\n"},
    {"blanks and decimal commas", "a b\r\n1,5 2,5\r\n3,5 4,5\r\n", "a,b\n\"1,5\",\"2,5\"\n\"3,5\",\"4,5\"\n"},
    {"comments before the header", "# written by a program\n# on Monday, by hand, too\na,b,c\n1,2,x\n", "a,b,c\n1,2,x\n"},
    {"comments anywhere", "# \"one\na,b\n1,x\n# two, \"three\n2,\"y\n# z\"\n", "a,b\n1,x\n2,\"y\n# z\"\n"},
    {"a comment and blanks", "# units: m s\nx  t\n1  2\n# pause\n3  4\n", "x,t\n1,2\n3,4\n"},
    {"a header that begins with a mark", "#id,x,y\n1,2,3\n4,5,6\n", "id,x,y\n1,2,3\n4,5,6\n"},
    {"a header in a comment", "# from a program\n# x y\n1 2\n3 4\n", "x,y\n1,2\n3,4\n"},
    {"a header of texts that begins with a mark", "#id,x\nu,v\nw,z\n", "id,x\nu,v\nw,z\n"},
    {"marks in cells of a file without comments", "a,b\n#1,x\n#2,y\n", "\"a\",b\n#1,x\n#2,y\n"},
    {"names with blanks in a single column", "full name\nJohn Smith\nAda Lovelace\n",
     "\"full name\"\nJohn Smith\nAda Lovelace\n"},
};

TEST(CsvDialect, EveryFileIsReadAsThePlainOne) {
  const Folder folder;
  for (const Written& file : files) {
    SCOPED_TRACE(file.what);
    const auto plain = cells_of(read_table(folder.write("plain.csv", file.plain), {.delimiter = ','}));
    const std::string path = folder.write("written.csv", file.bytes);
    for (const std::size_t buffer : {1, 2, 3, 7, 64, 0})
      EXPECT_EQ(cells_of(read_table(path, {.buffer = buffer})), plain) << buffer;
  }
}

TEST(CsvDialect, ConversionsAreReported) {
  const Folder folder;
  Texts messages;
  ExecutionContext context;
  context.say = [&](std::string_view sentence) { messages.emplace_back(sentence); };
  const std::string plain = folder.write("a.csv", "a,b\ncaf\xC3\xA9,1\n");
  const std::string latin = folder.write("b.csv", "a,b\nx,1\ncaf\xE9,\xE9\n");
  const std::string wide = folder.write("c.csv", "\xFF\xFE" + utf16("a,b\n1,x\n", false));
  read_table(plain, {.context = &context});
  EXPECT_EQ(messages, Texts{});
  read_table(latin, {.context = &context});
  read_table(wide, {.context = &context});
  ASSERT_EQ(messages.size(), 2U);
  expect_words(messages[0], {latin, "2 bytes", "line 3", "Windows-1252", "iconv"});
  expect_words(messages[1], {wide, "UTF-16"});
  CsvReader reader(latin, {{"a", ColumnKind::category, {"café"}}}, {"b"}, {.context = &context});
  Batch batch;
  ASSERT_TRUE(reader.next(batch, 5));
  EXPECT_EQ(batch.table.values(1, 0), 0);
  EXPECT_EQ(batch.kept, (Texts{"1", "é"}));
  EXPECT_FALSE(reader.next(batch, 5));
  EXPECT_FALSE(reader.next(batch, 5));
  EXPECT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages.back(), reader.notice());
}

TEST(CsvDialect, ANameOfTwoColumnsIsRefusedOnlyWhenItIsAskedFor) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "x,y,x,z,x\n1,2,3,4,5\n");
  const Texts words = {path, "'x'", "3 columns", "'x (column 1)', 'x (column 3)', 'x (column 5)'"};
  const Table table = read_table(path, {.numbers = {"y"}});
  EXPECT_EQ(table.require("x (column 3)"), 2);
  expect_words(complaint([&] { table.require("x"); }), words);
  expect_words(complaint([&] { read_table(path, {.numbers = {"x"}}); }), words);
  expect_words(complaint([&] { read_table(path, {.drop = {"x"}}); }), words);
  expect_words(complaint([&] { read_table_as({{"x"}}, path); }), words);
  expect_words(complaint([&] { match(table, {{"x"}}); }), words);
  EXPECT_EQ(read_table_as({{"x (column 5)"}, {"y"}}, path).values(0, 0), 5);
}

TEST(ColumnNames, PositionalOnesAreKnown) {
  for (const std::string name : {"column 1", "column 20"}) EXPECT_TRUE(is_positional_name(name)) << name;
  for (const std::string name : {"column", "column ", "column 0", "column x", "column 1 ", "Column 1", "x (column 1)"})
    EXPECT_FALSE(is_positional_name(name)) << name;
}

TEST(CsvDialect, LinesMayLackTheTrailingDelimiterThatOthersHave) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "a,b\n1,2,\n" + std::string(70000, '\n') + "3,4\n");
  EXPECT_EQ(
      cells_of(read_table(path)),
      (std::vector<Texts>{{"a", "b", "column 3"}, {"1.000000", "2.000000", "missing"}, {"3.000000", "4.000000", "missing"}}));
  CsvReader reader(path, {{"a"}}, {"column 3"});
  Batch batch;
  ASSERT_TRUE(reader.next(batch, 5));
  EXPECT_EQ(batch.kept, (Texts{"", ""}));
}

// Against the definition: a byte is kept exactly if it is part of a character of one to four bytes in its shortest form.
TEST(Utf8, EveryPointIsValidAndEveryOtherByteIsConverted) {
  for (unsigned byte = 0x80; byte < 0x100; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    EXPECT_EQ(valid_utf8(one), 0U);
    EXPECT_EQ(with_windows_1252(one).converted, 1U);
    EXPECT_EQ(valid_utf8(with_windows_1252("abcdefgh" + one + "z").text), with_windows_1252("abcdefgh" + one + "z").text.size());
  }
  for (const std::string& valid : {"\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s, "\xEF\xBF\xBF"s,
                                   "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s})
    EXPECT_EQ(valid_utf8(valid), valid.size());
  for (const std::string& invalid : {"\xC0\x80"s, "\xC1\xBF"s, "\xE0\x9F\xBF"s, "\xED\xA0\x80"s, "\xF0\x8F\xBF\xBF"s,
                                     "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xE2\x82"s, "\xC3"s})
    EXPECT_EQ(valid_utf8(invalid), 0U);
}

}  // namespace
}  // namespace taut
