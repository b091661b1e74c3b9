// Every file that cannot be read, and what the message must name.
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_scanner.hpp>

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
    {"too many, tabs", "a\tb\n1\t2\t\n", {"line 2", "found 3 fields", "delimiter 'tab'"}},
    {"unclosed quote", "a,b\n1,2\n3,\"x\n5,6\n7,8\n", {"line 3", "column 'b'", "never closed", "double it"}},
    {"unclosed quote at the end", "a,b\n1,\"", {"line 2", "column 'b'", "never closed"}},
    {"unclosed after a quoted line end", "a,b\n\"1\n2\",\"x\n", {"line 3", "column 'b'", "never closed"}},
    {"unclosed quote in the header", "a,\"b\n1,2\n", {"line 1", "field 2", "never closed"}},
    {"text after a quote", "a,b\n\"1\"2,3\n", {"line 2", "column 'a'", "'2'", "closing quote"}},
    {"repeated name", "a,b, a\n1,2,3\n", {"line 1", "column 3", "'a'", "column 1", "rename"}},
    {"empty name", "a,,c\n1,2,3\n", {"line 1", "column 2", "no name"}},
    {"row numbers", ",a\n0,2\n", {"line 1", "column 1", "no name", "index=False"}},
    {"zero byte", "a,b\n1,2\n3,\0\n"s, {"line 3", "zero byte", "UTF-8"}},
    {"UTF-16", "\xFF\xFE"s + "a\0,\0b\0\n\0"s, {"line 1", "zero byte", "UTF-16"}},
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
  const std::string limit(most_field_bytes, 'x');
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
  for (Index i = 0; i <= most_columns; ++i) header += std::to_string(i) + ",";
  expect_words(complaint([&] { read_table(folder.write("wide.csv", header + "x\n")); }), {"line 1", "1,000,000"});
}

}  // namespace
}  // namespace taut
