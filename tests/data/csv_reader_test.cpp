#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/table_view.hpp>

#include <tests/support/files.hpp>

#include <cmath>
#include <cstdio>
#include <thread>

#include <fcntl.h>
#include <zlib.h>

namespace taut {
namespace {

constexpr std::size_t buffers[] = {1, 2, 3, 7, 64, 0};

// Compares cell by cell; NaN equals NaN.
void expect_values(const Table& table, const std::vector<std::vector<double>>& rows) {
  ASSERT_EQ(table.rows(), static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      const double got = table.values(static_cast<Index>(i), static_cast<Index>(c));
      EXPECT_TRUE(got == rows[i][c] || (std::isnan(got) && std::isnan(rows[i][c]))) << i << "," << c << ": " << got;
    }
  }
}

TEST(ReadTable, NumbersCategoriesAndMissingCells) {
  const Folder folder;
  const std::string path =
      folder.write("a.csv", "x,kind,y\n1,red,+2.5\n,blue,-1e-3\n NaN ,red, 7 \nnull,NA,inf\nnA,Green,-Infinity\n");
  for (const std::size_t buffer : buffers) {
    const Table table = read_table(path, {.buffer = buffer});
    EXPECT_EQ(table.names(), (std::vector<std::string>{"x", "kind", "y"}));
    EXPECT_FALSE(table.columns[0].is_categorical());
    EXPECT_EQ(table.columns[1].categories, (std::vector<std::string>{"red", "blue", "Green"}));
    expect_values(table,
                  {{1, 0, 2.5}, {missing, 1, -1e-3}, {missing, 0, 7}, {missing, missing, infinity}, {missing, 2, -infinity}});
    EXPECT_EQ(table.lines, (std::vector<std::int64_t>{2, 3, 4, 5, 6}));
    EXPECT_EQ(table.source, path);
  }
}

TEST(ReadTable, MissingWordsByDefaultAndByChoice) {
  const Folder folder;
  const std::vector<std::string> words = {"", "NA", "N/A", "#N/A", "NaN", "-NaN", "null", "-", "?", "na", " N/a ", "\xC2\xA0"};
  for (const std::string& word : words) {
    EXPECT_TRUE(is_missing_cell(word)) << word;
    const std::string path = folder.write("a.csv", "x,y\n1," + word + "\n2,\"" + word + "\"\n3,4\n");
    expect_values(read_table(path, {.numbers = {"y"}}), {{1, missing}, {2, missing}, {3, 4}});
  }
  for (const std::string word : {"??", "nil", "N A", "nonee", "0", "..."}) {
    EXPECT_FALSE(is_missing_cell(word)) << word;
    EXPECT_FALSE(is_missing_cell(word, MissingSet::among_numbers)) << word;
    EXPECT_FALSE(is_missing_cell(word, MissingSet::former)) << word;
  }

  const std::string path = folder.write("b.csv", "x,y\n-999,-999.0\n 1,unknown\n2, Unknown \n-999 ,a\n");
  const Table table = read_table(path, {.na = {"-999", "UNKNOWN"}});
  EXPECT_EQ(table.columns[1].categories, (std::vector<std::string>{"-999.0", "a"}));
  expect_values(table, {{missing, 0}, {1, missing}, {2, missing}, {missing, 1}});
  const std::vector<Column> schema = {{"x"}, {"y", ColumnKind::category, {"a"}}};
  expect_values(read_table_as(schema, path, {.na = {"-999", "unknown"}}),
                {{missing, 1}, {1, missing}, {2, missing}, {missing, 0}});
}

// New rows are read with the model's words for missing cells, whatever the options of the reader are.
TEST(ReadTable, MissingWordsOfTheSchema) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "x,y\n-999,unknown\n-999.0,a\n-9.99e2,b\n2,-999.0\n");
  std::vector<Column> schema = {{"x"}, {"y", ColumnKind::category, {"a"}}};
  for (Column& column : schema) column.missing_words = {"-999", "unknown"};
  const std::vector<std::vector<double>> expected = {{missing, missing}, {missing, 0}, {missing, 1}, {2, 1}};
  expect_values(read_table_as(schema, path), expected);
  CsvReader reader(path, schema);
  Batch batch;
  ASSERT_TRUE(reader.next(batch, 10));
  expect_values(batch.table, expected);
  EXPECT_EQ(reader.mismatches()[0].cells, 0);
  EXPECT_EQ(reader.mismatches()[1].texts, (std::vector<std::string>{"b", "-999.0"}));
}

// A model may have been fitted before these words meant a missing cell.
TEST(ReadTable, ACategoryOfTheModelIsOneBeforeItIsMissing) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "x,kind\n1,None\n2,?\n3,NA\n4,red\n5,blue\n");
  const std::vector<Column> schema = {{"kind", ColumnKind::category, {"?", "red", "None"}}};
  const Table table = read_table_as(schema, path);
  expect_values(table, {{2}, {0}, {missing}, {1}, {3}});
  EXPECT_EQ(table.mismatches[0].texts, (std::vector<std::string>{"blue"}));
}

TEST(ReadTable, QuotesLineEndsMarkAndBlankLines) {
  const Folder folder;
  const std::string text =
      "\xEF\xBB\xBF\r\n\"na\"\"me\",\"a,b\"\r\n\"two\nlines\", 1\r\n\r\n  \r\n\"say \"\"hi\"\"\"\t "
      ",\"2\"\r\nlone\rCR,3\r\nmid\"quote,4";
  for (const std::size_t buffer : buffers) {
    const Table table = read_table(folder.write("a.csv", text), {.buffer = buffer});
    EXPECT_EQ(table.names(), (std::vector<std::string>{"na\"me", "a,b"}));
    EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"two\nlines", "say \"hi\"", "lone\rCR", "mid\"quote"}));
    expect_values(table, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    EXPECT_EQ(table.lines, (std::vector<std::int64_t>{3, 7, 8, 9}));
  }
}

TEST(ReadTable, DelimitersAreDetectedOrGiven) {
  const Folder folder;
  for (const std::string delimiter : {",", ";", "\t", "|"}) {
    const std::string path =
        folder.write("a.csv", "a" + delimiter + "\"b,;|\t,;|\t\"" + delimiter + "c\n1" + delimiter + delimiter + "3\n");
    const Table table = read_table(path);
    EXPECT_EQ(table.columns.size(), 3U) << delimiter;
    expect_values(table, {{1, missing, 3}});
  }
  const std::string path = folder.write("b.csv", "a:b,c\n1:2\n");
  EXPECT_EQ(read_table(path, {.delimiter = ':'}).names(), (std::vector<std::string>{"a", "b,c"}));
  expect_values(read_table(folder.write("c.csv", "a b\n1 \n 2\n"), {.delimiter = ' '}), {{1, missing}, {missing, 2}});
  for (const char impossible : {'"', '\n', '5', '.', 'e'}) EXPECT_THROW(read_table(path, {.delimiter = impossible}), UsageError);
}

TEST(ReadTable, NumbersInEveryShape) {
  const Folder folder;
  const std::vector<std::pair<std::string, double>> cells = {{"0", 0},
                                                             {"-0", -0.0},
                                                             {"5.", 5},
                                                             {".5", .5},
                                                             {"007", 7},
                                                             {"1e5", 1e5},
                                                             {"1E-5", 1e-5},
                                                             {"12345678", 12345678},
                                                             {"123456789012", 123456789012},
                                                             {"1234567.1234567", 1234567.1234567},
                                                             {"9007199254740993", 9007199254740992.},
                                                             {"0.1234567890123456789", 0.1234567890123456789},
                                                             {"0.12345678901234567891", 0.12345678901234567891},
                                                             {"1.7976931348623157e308", 1.7976931348623157e308},
                                                             {"1e999", infinity},
                                                             {"-1e999", -infinity},
                                                             {"1e-999", 0},
                                                             {"4.9e-324", 4.9e-324},
                                                             {"\"3.25\"", 3.25},
                                                             {"+1.5", 1.5},
                                                             {"INFINITY", infinity},
                                                             {"0.000000000000000000000000001", 1e-27}};
  std::string text = "x,y\n";
  for (const auto& [cell, value] : cells) text += cell + "," + cell + "\n";
  for (const std::size_t buffer : buffers) {
    const Table table = read_table(folder.write("a.csv", text), {.buffer = buffer});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const Index c : {0, 1}) EXPECT_EQ(table.values(static_cast<Index>(i), c), cells[i].second) << cells[i].first;
    }
    EXPECT_TRUE(std::signbit(table.values(1, 0)));
  }
}

// The original text of the cells before the first text must be kept, wherever that text comes.
TEST(ReadTable, AColumnMayTurnIntoACategoryLate) {
  const Folder folder;
  for (const int turn : {0, 1, 1500, 2999}) {
    std::string text = "a,b,c\n";
    for (int i = 0; i < 3000; ++i)
      text += "1.50," + std::string(i < turn ? "" : "x") + "," +
              (i == turn    ? "text"
               : i == 2998  ? "more"
               : i % 2 == 0 ? "01"
                            : "1.0") +
              "\n";
    const Table table = read_table(folder.write("a.csv", text), {.buffer = 50});
    EXPECT_FALSE(table.columns[0].is_categorical());
    EXPECT_EQ(table.values(2999, 0), 1.5);
    EXPECT_EQ(table.columns[1].categories, (std::vector<std::string>{"x"}));
    ASSERT_TRUE(table.columns[2].is_categorical());
    const auto category = [&](Index row) { return table.columns[2].categories[static_cast<std::size_t>(table.values(row, 2))]; };
    for (Index row = 0; row < 3000; ++row)
      ASSERT_EQ(category(row), row == turn ? "text" : row == 2998 ? "more" : row % 2 == 0 ? "01" : "1.0") << row;
  }
}

TEST(ReadTable, ColumnsCanBeDroppedAndForced) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "id,zip,x\n\"a\nb\",01234,1\nc,99999,2\n");
  const Table table = read_table(path, {.drop = {"id"}, .numbers = {"x"}, .categories = {"zip"}});
  EXPECT_EQ(table.names(), (std::vector<std::string>{"zip", "x"}));
  EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"01234", "99999"}));
  expect_values(table, {{0, 1}, {1, 2}});
  expect_words(complaint([&] { read_table(path, {.numbers = {"id"}}); }), {"line 2", "column 'id'", "'a\nb'", "numbers"});
  expect_words(complaint([&] { read_table(path, {.drop = {"ids"}}); }), {path, "no column 'ids'", "did you mean 'id'?"});
  EXPECT_THROW(read_table(path, {.numbers = {"x"}, .categories = {"x"}}), UsageError);
}

std::string gzipped(const std::string& text) {
  std::string packed(text.size() + 1000, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(ReadTable, GzipByItsBytesAndInSeveralMembers) {
  const Folder folder;
  const std::string packed = gzipped("a,b\n1,2\n") + gzipped("3,4\nx,5\n");
  for (const std::size_t buffer : buffers) {
    const Table table = read_table(folder.write("named_otherwise.csv", packed), {.buffer = buffer});
    EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"1", "3", "x"}));
    expect_values(table, {{0, 2}, {1, 4}, {2, 5}});
  }
}

TEST(ReadTable, DamagedGzipIsRefused) {
  const Folder folder;
  std::string text = "a\n";
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919 % 1000) + "\n";
  const std::string packed = gzipped(text);
  expect_words(complaint([&] { read_table(folder.write("a.gz", packed.substr(0, packed.size() / 2))); }),
               {"a.gz", "gzip", "too early"});
  std::string flipped = packed;
  flipped[flipped.size() - 6] ^= 4;  // in the check sum
  expect_words(complaint([&] { read_table(folder.write("b.gz", flipped)); }), {"b.gz", "gzip", "damaged", "get the file again"});
  expect_words(complaint([&] { read_table(folder.write("c.gz", packed + "tail")); }), {"c.gz", "gzip"});
}

// A pipe cannot be rewound: its bytes are buffered for the second pass.
TEST(ReadTable, PipesAndStandardInput) {
  const Folder folder;
  const std::string text = "a,b\n1,2\nx,3\n";
  for (const std::string& bytes : {text, gzipped(text)}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::thread writer([&] {
      for (const char byte : bytes) ASSERT_EQ(::write(ends[1], &byte, 1), 1);
      ::close(ends[1]);
    });
    const int old = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    const Table table = read_table("-");
    ::dup2(old, STDIN_FILENO);
    ::close(old);
    ::close(ends[0]);
    writer.join();
    EXPECT_EQ(table.source, "standard input");
    EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"1", "x"}));
    expect_values(table, {{0, 2}, {1, 3}});
  }
}

TEST(ReadTable, TellsProgressAndCanBeCancelled) {
  const Folder folder;
  std::string text = "a\n";
  for (int i = 0; i < 100000; ++i) text += "1\n";
  const std::string path = folder.write("a.csv", text);
  double last = -1;
  taut::ExecutionContext context;
  context.progress = [&](std::string_view, double done) {
    EXPECT_GE(done, last);
    EXPECT_LE(done, 1);
    last = done;
  };
  read_table(path, {.context = &context});
  EXPECT_GT(last, 0.5);
  context.cancelled = [] { return true; };
  EXPECT_THROW(read_table(path, {.context = &context}), Interrupted);
}

TEST(CsvReader, BatchesMatchedByName) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "extra,kind,x,y\n\"q\"\"\",red,1,2\nw,new,,4\n,,5,6\n,blue,7,8\n");
  const std::vector<Column> schema = {{"y"}, {"kind", ColumnKind::category, {"blue", "red"}}, {"x"}};
  for (const std::size_t buffer : buffers) {
    CsvReader reader(path, schema, {"x", "extra"}, {.buffer = buffer});
    Batch batch;
    ASSERT_TRUE(reader.next(batch, 3));
    EXPECT_EQ(batch.table.columns, schema);
    expect_values(batch.table, {{2, 1, 1}, {4, 2, missing}, {6, missing, 5}});  // 2: neither blue nor red
    EXPECT_EQ(batch.kept, (std::vector<std::string>{"1", "q\"", "", "w", "5", ""}));
    EXPECT_EQ(batch.kept_of(1)[1], "w");
    ASSERT_TRUE(reader.next(batch, 3));
    expect_values(batch.table, {{8, 0, 7}});
    EXPECT_EQ(batch.table.lines, (std::vector<std::int64_t>{5}));
    EXPECT_FALSE(reader.next(batch, 3));
    EXPECT_EQ(batch.table.rows(), 0);
  }
  expect_values(read_table_as(schema, path), {{2, 1, 1}, {4, 2, missing}, {6, missing, 5}, {8, 0, 7}});
}

TEST(CsvReader, AHeaderAloneIsAFileOfNoRows) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "x,y\n");
  const std::vector<Column> schema = {{"y"}};
  Batch batch;
  EXPECT_FALSE(CsvReader(path, schema).next(batch, 3));
  EXPECT_EQ(batch.table.columns, schema);
  EXPECT_EQ(batch.table.rows(), 0);
  expect_words(complaint([&] { read_table_as(schema, path); }), {path, "no row", "at least one line"});
}

TEST(CsvReader, RefusesWhatTheSchemaDoesNotAllow) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "sqft_livng,b\n1,2\n\n3,oops\n");
  expect_words(complaint([&] { CsvReader(path, {{"sqft_living"}}); }),
               {path, "no column 'sqft_living'", "did you mean 'sqft_livng'?", "the columns are: sqft_livng, b"});
  expect_words(complaint([&] { CsvReader(path, {}, {"c"}); }), {"no column 'c'"});
  EXPECT_THROW(CsvReader(path, {}, {"b", "b"}), UsageError);
  CsvReader reader(path, {{.name = "b", .is_strict = true}});
  Batch batch;
  EXPECT_TRUE(reader.next(batch, 1));
  expect_words(complaint([&] { reader.next(batch, 1); }), {path, "line 4", "column 'b'", "'oops'", "numbers", "empty cell"});
}

TEST(CsvReader, CountsAndQuotesWhatDoesNotFit) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "kind,x\nred,1\nnew,??\n,\nold,nil\nnew,??\nNA,2\n");
  CsvReader reader(path, {{"x"}, {"kind", ColumnKind::category, {"red"}}});
  Batch batch;
  while (reader.next(batch, 2)) {
  }
  const Mismatches& mismatches = reader.mismatches();
  ASSERT_EQ(mismatches.size(), 2U);
  EXPECT_EQ(mismatches[0].column, "x");
  EXPECT_FALSE(mismatches[0].is_categorical);
  EXPECT_EQ(mismatches[0].cells, 3);
  EXPECT_EQ(mismatches[0].texts, (std::vector<std::string>{"??", "nil"}));
  EXPECT_TRUE(mismatches[1].is_categorical);
  EXPECT_EQ(mismatches[1].cells, 3);
  EXPECT_EQ(mismatches[1].texts, (std::vector<std::string>{"new", "old"}));
}

// A table whose column types are inferred and matched later holds the same bits as one that is read against known columns.
TEST(CsvReader, BothWaysOfReadingAgree) {
  const Folder folder;
  const std::string text =
      "x,kind,zip\n1,red,01\n 2.5 ,\"blue\",1\n+3,??,1.0\n??, red,7\n?,?,-\n-inf,NA,01\n1e999,red,x\n0.1,7,\n";
  const std::string path = folder.write("a.csv", text);
  const std::vector<Column> schema = {
      {"kind", ColumnKind::category, {"red", "7"}}, {"x"}, {"zip", ColumnKind::category, {"1", "01"}}};
  const Table whole = read_table(path);
  const Table later = TableView(whole).matched(schema).copy();
  const Mismatches& mismatches = later.mismatches;
  CsvReader reader(path, schema);
  Batch batch;
  ASSERT_TRUE(reader.next(batch, 100));
  for (Index row = 0; row < later.rows(); ++row)
    for (Index column = 0; column < 3; ++column)
      EXPECT_TRUE(later.values(row, column) == batch.table.values(row, column) ||
                  (std::isnan(later.values(row, column)) && std::isnan(batch.table.values(row, column))))
          << row << " " << column;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(mismatches[i].cells, reader.mismatches()[i].cells) << i;
    EXPECT_EQ(mismatches[i].texts, reader.mismatches()[i].texts) << i;
  }
}

}  // namespace
}  // namespace taut
