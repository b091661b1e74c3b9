// The same table and the same errors for any number of threads and any size of blocks.
#include <taut/core/random.hpp>
#include <taut/data/csv/block.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>

#include <tests/support/files.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut {
namespace {

using namespace std::string_literals;

constexpr int thread_counts[] = {1, 2, 3, 8};
constexpr std::size_t block_sizes[] = {1, 5, 17, 64, 300, 4096, 0};

void expect_same(const Table& got, const Table& expected) {
  ASSERT_EQ(got.columns, expected.columns);
  ASSERT_EQ(got.lines, expected.lines);
  ASSERT_EQ(got.rows(), expected.rows());
  for (Index i = 0; i < got.values.size(); ++i) {
    const double a = got.values.data()[i], b = expected.values.data()[i];
    ASSERT_TRUE(std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b))) << i;
  }
}

// Numbers, few and many categories, quoted line ends, quotes inside cells, blank lines, both line ends, a column whose first text
// comes late, and a dropped column.
std::string awkward_text(int rows) {
  Random random(5);
  std::string text = "a,b,few,many,late,quoted,drop\n";
  for (int row = 0; row < rows; ++row) {
    const auto pick = [&](const std::vector<std::string>& from) {
      return from[static_cast<std::size_t>(random.below(std::ssize(from)))];
    };
    text += std::to_string(random.normal()) + "," + pick({"", "7", "-1e-7", "NA"}) + "," + pick({"red", "blue", "\"gr,een\""}) +
            ",id" + std::to_string(random.below(2 * rows)) + "," + (row < rows - 5 ? pick({"01", "1", "1.0", ""}) : "word") +
            "," + pick({"\"two\nlines\"", "5\" pipe", "\"a\r\nb\"", " \"say \"\"hi\"\"\" ", "plain"}) + ",\"x\n\"" +
            pick({"\n", "\r\n", "\n\n", "\n \r\n"});
  }
  return text;
}

TEST(CsvThreads, TheTableIsTheSame) {
  const Folder folder;
  const std::string path = folder.write("a.csv", awkward_text(400));
  ExecutionContext one;
  one.threads = 1;
  const CsvOptions options{.drop = {"drop"}, .context = &one};
  const Table expected = read_table(path, options);
  ASSERT_EQ(expected.rows(), 400);
  ASSERT_TRUE(expected.columns[4].is_categorical());
  for (const int threads : thread_counts)
    for (const std::size_t block : block_sizes) {
      SCOPED_TRACE(std::to_string(threads) + " threads, blocks of " + std::to_string(block));
      ExecutionContext context;
      context.threads = threads;
      expect_same(read_table(path, {.drop = {"drop"}, .context = &context, .buffer = block}), expected);
      expect_same(read_table_as(expected.columns, path, {.context = &context, .buffer = block}), expected);
    }
}

TEST(CsvThreads, WhatDoesNotFitIsCountedInOrder) {
  const Folder folder;
  std::string text = "x,kind\n";
  for (int row = 0; row < 300; ++row)
    text += (row % 3 == 0 ? "t" + std::to_string(row) : "1") + ",k" + std::to_string(row % 50) + "\n";
  const std::string path = folder.write("a.csv", text);
  const std::vector<Column> schema = {{"x"}, {"kind", ColumnKind::category, {"k0", "k2"}}};
  const Mismatches expected = read_table_as(schema, path, {.buffer = 1 << 20}).mismatches;
  ASSERT_EQ(expected[0].cells, 100);
  ASSERT_EQ(expected[1].cells, 288);
  ASSERT_EQ(expected[1].texts.size(), ColumnMismatches::max_texts);
  for (const int threads : thread_counts)
    for (const std::size_t block : block_sizes) {
      ExecutionContext context;
      context.threads = threads;
      const Mismatches got = read_table_as(schema, path, {.context = &context, .buffer = block}).mismatches;
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(got[i].cells, expected[i].cells);
        EXPECT_EQ(got[i].texts, expected[i].texts);
      }
    }
}

TEST(CsvThreads, TheFirstErrorIsTheSame) {
  const Folder folder;
  for (const std::string& fault : {"1\n"s, "1,2,3\n"s, "1,\"x\" y\n"s, "1,\"x\n"s, "1,\0\n"s, "1,text\n"s}) {
    std::string text = "a,b\n";
    for (int row = 0; row < 300; ++row) {
      text += "\"1\n\",2\r\n\n";
      if (row == 150) text += fault;
      if (row == 200) text += "1,2,3,4\n";
    }
    const std::string path = folder.write("a.csv", text);
    const std::string expected = complaint([&] { read_table(path, {.numbers = {"b"}}); });
    expect_words(expected, {", line 455"});
    for (const int threads : thread_counts)
      for (const std::size_t block : block_sizes) {
        ExecutionContext context;
        context.threads = threads;
        EXPECT_EQ(complaint([&] { read_table(path, {.numbers = {"b"}, .context = &context, .buffer = block}); }), expected);
      }
  }
}

// For every size of blocks each block consists of whole records, and all blocks together are the text.
TEST(CsvBlocks, AreWholeRecordsForEverySize) {
  const Folder folder;
  const std::string text = awkward_text(20);
  const std::string path = folder.write("a.csv", text);
  for (std::size_t size = 1; size < 200; ++size) {
    Source source(path);
    CsvBlocks blocks(source, size);
    std::string together;
    std::int64_t line = 1;
    for (TextBlock block; blocks.next(block, CsvFormat());) {
      ASSERT_EQ(block.first_line, line);
      ASSERT_EQ(block.line_feeds, std::count(block.begin(), block.end(), '\n'));
      ASSERT_EQ(last_record_end(block.text(), ',').end, block.text().size()) << block.text();
      line += block.line_feeds;
      together += block.text();
    }
    ASSERT_EQ(together, text);
  }
}

}  // namespace
}  // namespace taut
