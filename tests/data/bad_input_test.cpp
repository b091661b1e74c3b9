// Files that cannot be read, and what the message must name.
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>

#include <tests/support/files.hpp>

namespace taut {
namespace {

struct BadFile {
  std::string what;
  std::string bytes;
  std::vector<std::string> words;
};

using namespace std::string_literals;

const std::vector<BadFile> bad_files = {
    {"empty", "", {"empty", "header line"}},
    {"blank", "\n \r\n\n", {"empty", "header line"}},
    {"only a mark", "\xEF\xBB\xBF", {"empty", "header line"}},
    {"header only", "a,b\n", {"no row", "at least one line"}},
    {"too few fields", "a,b,c\n1,2,3\n\n4,5\n", {"line 4", "found 2 fields", "3 columns", "column 'c'", "delete the line"}},
    {"too few, in text", "a,b,c\n\"x\ny\",2,3\nq\n", {"line 4", "found 1 fields", "column 'b'"}},
    {"too many fields", "a,b\n1,2\n3,4,5,6\n", {"line 3", "found 4 fields", "2 columns", "column 'b'", "'5'", "delimiter ','"}},
    {"too many, tabs", "a\tb\n1\t2\t3\n", {"line 2", "found 3 fields", "delimiter 'tab'"}},
    {"too many in some lines", "a,b\n1,2\n1,2,\n", {"line 3", "found 3 fields"}},
    {"a title", "Sales 2024\n\na,b,c\n1,2,3\n4,5,6\n", {"line 1", "'Sales 2024'", "line 3", "3 columns", "tail -n +3"}},
    {"a line too short after comments", "# by x, on y\n# more\na;b;c\n1;2;3\n# and more\n4;5\n", {"line 6", "found 2 fields"}},
    {"quotes inside quotes", "a,b\n1, \"he said \"no\"\"\n", {"line 2", "column 'b'", "'n'", "closing quote"}},
    {"unclosed quote", "a,b\n1,2\n3,\"x\n5,6\n7,8\n", {"line 3", "column 'b'", "never closed", "double it"}},
    {"unclosed quote at the end", "a,b\n1,\"", {"line 2", "column 'b'", "never closed"}},
    {"unclosed after a quoted line end", "a,b\n\"1\n2\",\"x\n", {"line 3", "column 'b'", "never closed"}},
    {"unclosed quote in the header", "a,\"b\n1,2\n", {"line 1", "field 2", "never closed"}},
    {"text after a quote", "a,b\n\"1\"2,3\n", {"line 2", "column 'a'", "'2'", "closing quote"}},
    {"zero byte", "a,b\n1,2\n3,\0\n"s, {"line 3", "zero byte", "UTF-8", "iconv", "tr -d"}},
    {"zero byte in quotes", "a,b\n1,2\n3,\"x\n\0\"\n"s, {"line 4", "zero byte"}},
    {"zero byte after another fault", "a,b\n1,2,3\n3,\0\n"s, {"line 2", "found 3 fields"}},
    {"zero byte in the header", "a\0bcdefg,b\n1,2\n"s, {"line 1", "zero byte"}},
    {"UTF-16 cut short", "\xFF\xFE"s + "a\0,\0b\0\n\0001"s, {"UTF-16", "ends inside a character"}},
    {"UTF-32", "\xFF\xFE\0\0a\0\0\0\n\0\0\0"s, {"line 1", "zero byte", "UTF-32"}},
    {"separator line alone", "sep=;\n", {"empty", "header line"}},
};

TEST(BadInput, TheMessageNamesFileLineAndColumn) {
  const Folder folder;
  for (const auto& bad : bad_files) {
    SCOPED_TRACE(bad.what);
    const std::string path = folder.write("bad.csv", bad.bytes);
    const std::string text = complaint([&] { read_table(path); });
    expect_words(text, {path});
    expect_words(text, bad.words);
    EXPECT_EQ(text.find('\0'), std::string::npos);
    for (const std::size_t buffer : {1, 2, 3, 5, 7}) EXPECT_EQ(complaint([&] { read_table(path, {.buffer = buffer}); }), text);
    EXPECT_EQ(complaint([&] { read_table_as({}, path); }).empty(), false);
    if (bad.what == "header only") continue;  // a reader in batches accepts a file without rows
    EXPECT_THROW(
        {
          CsvReader reader(path, {});
          Batch batch;
          while (reader.next(batch, 2)) {
          }
        },
        Error);
  }
}

TEST(BadInput, FilesThatAreNone) {
  const Folder folder;
  folder.write("houses.csv", "a\n1\n");
  expect_words(complaint([&] { read_table(folder.path("house.csv")); }),
               {folder.path("house.csv"), "no such file", "did you mean '" + folder.path("houses.csv")});
  expect_words(complaint([&] { read_table(folder.path("no/such/folder/x.csv")); }), {"no such file", "check"});
  expect_words(complaint([&] { read_table(folder.path("")); }), {"is a folder", "give the name of a file"});
}

TEST(BadInput, HugeFieldsAndTooManyColumns) {
  const Folder folder;
  const std::string limit(max_field_bytes, 'x');
  for (const std::string& quote : {""s, "\""s}) {
    const std::string fits = folder.write("fits.csv", "a,b\n1," + quote + limit + quote + "\n");
    EXPECT_EQ(read_table(fits).columns[1].categories.front(), limit);
    const std::string over = folder.write("over.csv", "a,b\n1," + quote + limit + "x" + quote + "\n");
    expect_words(complaint([&] { read_table(over); }), {over, "line 2", "column 'b'", "16 MiB"});
  }
  expect_words(complaint([&] { read_table(folder.write("open.csv", "a,b\n1,\"" + limit + limit + limit)); }),
               {"line 2", "column 'b'", "16 MiB"});
  expect_words(complaint([&] { read_table(folder.write("blank.csv", "a,b\n" + std::string(3 * limit.size(), ' '))); }),
               {"line 2", "16 MiB"});

  std::string header;
  for (Index i = 0; i <= max_columns; ++i) header += std::to_string(i) + ",";
  expect_words(complaint([&] { read_table(folder.write("wide.csv", header + "x\n")); }), {"line 1", "1,000,000"});
}

}  // namespace
}  // namespace taut
