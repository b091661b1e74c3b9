// Files without a header, files of other formats, and lines that cannot be read.
#include <taut/core/error.hpp>
#include <taut/data/csv/header_check.hpp>
#include <taut/data/csv/other_format.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/reading.hpp>
#include <taut/data/similar_column.hpp>

#include <tests/support/files.hpp>

#include <cmath>

namespace taut {
namespace {

using namespace std::string_literals;
using Names = std::vector<std::string>;

TEST(NoHeader, GivesColumnsNamesByPosition) {
  const Folder folder;
  const std::string path = folder.write("iris.csv", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.2,2.8,virginica\n");
  for (const std::size_t buffer : {1, 7, 0}) {
    const Table table = read_table(path, {.has_header = false, .buffer = buffer});
    EXPECT_EQ(table.names(), (Names{"column1", "column2", "column3"}));
    ASSERT_EQ(table.rows(), 3);
    EXPECT_EQ(table.values(0, 0), 5.1);
    EXPECT_EQ(table.lines, (std::vector<std::int64_t>{1, 2, 3}));
  }
  const std::vector<Column> schema = {{"column2"}};
  EXPECT_EQ(read_table_as(schema, path, {.has_header = false}).values(2, 0), 2.8);
  expect_words(complaint([&] { read_table_as(schema, path); }), {"'column2'", "--no-header"});
  expect_words(complaint([&] { read_table_as({{"column7"}}, path, {.has_header = false}); }),
               {"'column7'", "column1 to column3"});
  const std::string spaced = folder.write("housing.data", "# numbers\n\n 0.006  18.0 2\n 0.027   0.0 3\n");
  const Table numbers = read_table(spaced, {.has_header = false});
  ASSERT_EQ(numbers.rows(), 2);
  EXPECT_EQ(numbers.values(1, 2), 3);
  EXPECT_EQ(numbers.lines.front(), 3);
}

TEST(NoHeader, IsSuggestedWhereTheFirstLineLooksLikeData) {
  using Fields = std::vector<Names>;
  EXPECT_TRUE(
      looks_like_data({"5.1", "3.5", "1.4", "setosa"}, Fields{{"4.9", "3.0", "1.4", "setosa"}, {"6", "3.1", "5", "virginica"}}));
  EXPECT_TRUE(looks_like_data({"p", "x", "s", "n"}, Fields{{"e", "x", "s", "y"}, {"p", "b", "y", "n"}, {"e", "x", "y", "w"}}));
  EXPECT_TRUE(looks_like_data({"17"}, Fields{{"18"}, {"11"}}));
  EXPECT_FALSE(looks_like_data({"id", "x", "y"}, Fields{{"1", "2", "3"}, {"4", "5", "6"}}));
  EXPECT_FALSE(looks_like_data({"country", "2018", "2019"}, Fields{{"DE", "1900", "2500"}, {"FR", "1700", "2200"}}));
  EXPECT_FALSE(looks_like_data({"label", "0", "1", "2", "3"}, Fields{{"7", "0", "1", "4", "1"}, {"2", "0", "3", "2", "9"}}));
  EXPECT_FALSE(looks_like_data({"yes", "age", "sex"}, Fields{{"yes", "5", "f"}, {"no", "7", "m"}}));
  EXPECT_FALSE(looks_like_data({"a", "b"}, {}));

  const Folder folder;
  Names messages;
  ExecutionContext context;
  context.say = [&](std::string_view sentence) { messages.emplace_back(sentence); };
  const std::string path = folder.write("iris.csv", "5.1,3.5,setosa\n4.9,3.0,setosa\n6.2,2.8,virginica\n");
  read_table(path, {.context = &context});
  ASSERT_EQ(messages.size(), 1U);
  expect_words(messages[0], {"warning", path, "'5.1', '3.5', 'setosa'", "--no-header"});
  read_table(path, {.has_header = false, .context = &context});
  EXPECT_EQ(messages.size(), 1U);
}

TEST(OtherFormat, IsRefusedWithTheCommandThatConvertsIt) {
  const std::vector<std::pair<std::string, Names>> files = {
      {"PK\x03\x04\x14\0\x06\0[Content_Types].xml"s, {"Excel", "read_excel(\"f\")", "openpyxl"}},
      {"PK\x03\x04\x14\0\0\0\x08\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet"s, {"OpenDocument", "odfpy"}},
      {"PK\x03\x04\x14\0\0\0\x08\0houses.csv"s, {"zip", "unzip -p"}},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"s, {".xls", "xlrd"}},
      {"[{\"a\": 1}, {\"a\": 2}]", {"JSON;", "read_json(\"f\")"}},
      {"{\n  \"a\": [1, 2]\n}", {"JSON;", "read_json"}},
      {"\xEF\xBB\xBF {\"a\": 1}\n{\"a\": 2}\n", {"JSON lines", "lines=True"}},
      {"\n<!DOCTYPE HTML><html>", {"HTML", "download"}},
      {"<TABLE><tr>", {"HTML", "read_html"}},
      {"<?xml version='1.0'?><rows/>", {"XML", "read_xml"}},
      {"\x80\x04\x95\x10\0\0"s, {"pickle", "trust"}},
      {"\x80\x03}q\0"s, {"pickle"}},
      {"RDX3\nX\n", {".RData", "load(\"f\")", "write.csv"}},
      {"X\n\0\0\0\x03"s, {".rds", "readRDS(\"f\")"}},
      {"A\n3\n262", {".rds"}},
      {"SQLite format 3\0\x10"s, {"SQLite", "sqlite3 -header -csv \"f\""}},
      {std::string(12, '\0') + "\xC2\xEA\x81\x60", {"SAS", "read_sas"}},
      {"<stata_dta><header><release>118", {"Stata", "read_stata"}},
      {"\x72\x02\x01\0"s, {"Stata"}},
      {"$FL2@(#) SPSS DATA FILE", {"SPSS", "read_spss"}},
      {"% comment\n@RELATION iris\n", {"ARFF", "loadarff"}},
      {"\x93NUMPY\x01", {"NumPy", "numpy.load"}},
      {"\xFD"
       "7zXZ\0"s,
       {"xz -dc"}},
      {"BZh91AY&SY", {"bzip2 -dc"}},
  };
  for (const auto& [bytes, words] : files) {
    SCOPED_TRACE(bytes);
    expect_words(complaint([&] { refuse_other_format(bytes, "f"); }), words);
  }
  for (const std::string text :
       {"a,b\n1,2\n", "[m],{s}\n1,2\n", "{a},b\n", "PK,b\n", "x\n", "", "X\n1\n", "RD,x\n", "<5,b\n1,2\n"})
    EXPECT_NO_THROW(refuse_other_format(text, "f")) << text;
}

TEST(BadLines, AreSkippedAndCounted) {
  const Folder folder;
  const std::string path =
      folder.write("s.csv", "x,c,y\n1,a,10\n2,b\n3,a,30,4\n4,\"a,40\n5,a,fifty\n\n6,\"b\"x,60\n7,b,70\n8,a,80");
  std::vector<Column> schema = {{"x"}, {"c", ColumnKind::category, {"a", "b"}}, {"y"}};
  schema[2].is_strict = true;
  for (const std::size_t buffer : {1, 5, 0})
    for (const bool is_prompt : {false, true}) {
      CsvReader reader(path, schema, {"x"}, {.is_prompt = is_prompt, .skips_bad_lines = true, .buffer = buffer});
      Batch batch;
      std::vector<double> x;
      std::vector<std::int64_t> lines;
      while (reader.next(batch, 2))
        for (Index row = 0; row < batch.table.rows(); ++row) {
          x.push_back(batch.table.values(row, 0));
          lines.push_back(batch.table.lines[static_cast<std::size_t>(row)]);
          EXPECT_EQ(batch.kept_of(row)[0], std::to_string(static_cast<int>(x.back())));
        }
      EXPECT_EQ(x, (std::vector<double>{1, 7, 8}));
      EXPECT_EQ(lines, (std::vector<std::int64_t>{2, 9, 10}));
      EXPECT_EQ(reader.bad_lines().lines, 5);
      ASSERT_EQ(reader.bad_lines().words.size(), BadLines::max_words);
      expect_words(reader.bad_lines().words[0], {path, "line 3"});
    }
}

TEST(BadLines, EndABatchBeforeThem) {
  const Folder folder;
  const std::string path = folder.write("s.csv", "x,y\n1,10\n2,20\n3\n4,40\n");
  CsvReader reader(path, {{"x"}}, {}, {.returns_rows_before_failure = true});
  Batch batch;
  ASSERT_TRUE(reader.next(batch, 100));
  EXPECT_EQ(batch.table.rows(), 2);
  for (int again = 0; again < 2; ++again) expect_words(complaint([&] { reader.next(batch, 100); }), {path, "line 4"});
}

TEST(SimilarColumn, KnowsHowColumnsAreRenamed) {
  const Names names = {"education", "SalePrice", "lot_size", "year_built", "quantity", "age", "capital_gain", "zip"};
  const std::vector<std::pair<std::string, std::string>> renamed = {
      {"educ", "education"},     {"Sale_Price", "SalePrice"}, {"lot size", "lot_size"}, {"lotSize", "lot_size"},
      {"yr_blt", "year_built"},  {"qty", "quantity"},         {"AGE", "age"},           {"capital-gain", "capital_gain"},
      {"educaton", "education"}, {"price", "SalePrice"},      {"ZIP.", "zip"}};
  for (const auto& [name, expected] : renamed) EXPECT_EQ(similar_column(name, names), expected) << name;
  for (const std::string other : {"colour", "x", "", "_", "temperature"})
    EXPECT_EQ(similar_column(other, names), std::nullopt) << other;
}

TEST(MissingColumns, AreListedAtOnceAndEachGuessIsFree) {
  const Folder folder;
  const std::string path = folder.write("n.csv", "educ,age,Sale_Price\n1,2,3\n");
  expect_words(
      complaint([&] {
        read_table_as({{"education"}, {"age"}, {"SalePrice"}, {"colour"}}, path);
      }),
      {"'education' (did you mean 'educ'?)", "'SalePrice' (did you mean 'Sale_Price'?)", "'colour'", "educ, age, Sale_Price"});
  expect_words(complaint([&] { read_table_as({{"ages"}, {"age"}}, path); }), {"'ages';"});
}

TEST(Reading, OverridesDecimalPointsAndMissingWords) {
  const Reading reading{",", {"x"}};
  const auto schema = reading.applied_to({{"a"}, {"c", ColumnKind::category, {"x", "y"}}});
  const Folder folder;
  const Table table = read_table_as(schema, folder.write("n.csv", "a;c\n1,5;x\n1.234,5;y\nx;z\n"));
  EXPECT_EQ(table.values(0, 0), 1.5);
  EXPECT_EQ(table.values(1, 0), 1234.5);
  EXPECT_TRUE(std::isnan(table.values(2, 0)));
  EXPECT_EQ(table.values(0, 1), 0);  // the model knows the category
  EXPECT_EQ(reading.remarks(schema).size(), 1U);
  EXPECT_THROW((Reading{";"}.check()), UsageError);
}

}  // namespace
}  // namespace taut
