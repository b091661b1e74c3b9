#include <taut/core/error.hpp>
#include <taut/data/arrow/table.hpp>

#include <tests/data/arrow_support.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::bits_of;
using testing::HandColumn;
using testing::HandStream;
using testing::numbers;
using testing::texts;

// Three batches, the second one without rows: 7 rows of x, c and day.
HandStream seven_rows() {
  const auto batch = [](const std::vector<double>& x, const std::vector<std::string>& c, const std::vector<std::int32_t>& day) {
    return HandStream::HandBatch{numbers("x", "g", x), texts("c", c), numbers("day", "tdD", day, "1111")};
  };
  return HandStream({batch({1, 2, 3, 4}, {"a", "b", "zzz", ""}, {0, 1, 2, 19999}), batch({}, {}, {}),
                     batch({5, 6, 7}, {"b", "new", "b"}, {3, 4, 5})});
}

const std::vector<Column> schema = {{"c", ColumnKind::category, {"b", "a"}}, {"x"}};

TEST(ArrowReader, rows_come_in_batches_against_known_columns) {
  for (const Index maximum : {1, 2, 3, 100}) {
    SCOPED_TRACE(maximum);
    HandStream hand = seven_rows();
    ArrowArrayStream stream = hand.make();
    std::vector<double> x, c;
    {
      ArrowReader reader(ArrowStream(stream, "new.parquet"), schema, {"day", "c"});
      Batch batch;
      std::vector<std::string> kept;
      while (reader.next(batch, maximum)) {
        EXPECT_LE(batch.table.rows(), maximum);
        EXPECT_EQ(batch.table.columns, schema);
        EXPECT_EQ(batch.table.first_row, std::ssize(x));
        for (Index row = 0; row < batch.table.rows(); ++row) {
          c.push_back(batch.table.values(row, 0));
          x.push_back(batch.table.values(row, 1));
          kept.push_back(batch.kept_of(row)[0] + "|" + batch.kept_of(row)[1]);
        }
      }
      EXPECT_EQ(batch.table.rows(), 0);
      EXPECT_FALSE(reader.next(batch, maximum));
      EXPECT_EQ(kept, (std::vector<std::string>{"1970-01-01|a", "1970-01-02|b", "1970-01-03|zzz", "2024-10-03|", "1970-01-04|b",
                                                "1970-01-05|new", "1970-01-06|b"}));
      EXPECT_EQ(reader.mismatches()[0].cells, 2);
      EXPECT_EQ(reader.mismatches()[0].texts, (std::vector<std::string>{"zzz", "new"}));
      EXPECT_EQ(reader.mismatches()[1].cells, 0);
    }
    EXPECT_EQ(hand.open, 0);
    EXPECT_EQ(x, (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_TRUE(std::isnan(c[3]));
    c.erase(c.begin() + 3);
    EXPECT_EQ(c, (std::vector<double>{1, 0, 2, 0, 2, 0}));
  }
}

TEST(ArrowReader, the_whole_stream_at_once_is_the_same) {
  HandStream hand = seven_rows();
  ArrowArrayStream stream = hand.make();
  const TableView view = read_arrow_table_as(schema, ArrowStream(stream, "new.parquet"));
  EXPECT_EQ(hand.open, 0);
  EXPECT_EQ(view.columns(), schema);
  EXPECT_EQ(view.rows(), 7);
  EXPECT_EQ(view(5, 0), 2);
  EXPECT_EQ(view(6, 1), 7);
  EXPECT_EQ(view.mismatches()[0].texts, (std::vector<std::string>{"zzz", "new"}));
}

TEST(ArrowReader, a_text_in_a_strict_column_names_the_row_of_the_file) {
  HandStream hand(std::vector<HandStream::HandBatch>{{texts("y", {"1", "2"})}, {texts("y", {"3", "four"})}});
  ArrowArrayStream stream = hand.make();
  ArrowReader reader(ArrowStream(stream, "new.parquet"), {{.name = "y", .is_strict = true}});
  Batch batch;
  EXPECT_TRUE(reader.next(batch, 10));
  try {
    reader.next(batch, 10);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("new.parquet, row 4, column 'y': found the text 'four'"), 0U) << error.what();
  }
}

TEST(ArrowReader, columns_that_are_not_there_or_cannot_be_used_are_errors) {
  const auto open = [](const std::vector<Column>& wanted, const std::vector<std::string>& keep, Kept kept = Kept::as_texts) {
    HandStream hand(std::vector{numbers<double>("price", "g", {1}), HandColumn{"tags", "+l", 1}});
    ArrowArrayStream stream = hand.make();
    std::string words = "no error";
    try {
      ArrowReader(ArrowStream(stream, "new.parquet"), wanted, keep, kept);
    } catch (const Error& error) {
      words = error.what();
    }
    EXPECT_EQ(hand.open, 0);
    return words;
  };
  EXPECT_EQ(open({{"prise"}}, {}),
            "new.parquet: there is no column 'prise' (did you mean 'price'?); the columns are: price, tags");
  EXPECT_EQ(open({{"tags"}}, {}).find("new.parquet: the column 'tags' holds lists"), 0U);
  EXPECT_EQ(open({{"price"}}, {"tag"}).find("new.parquet: there is no column 'tag'"), 0U);
  EXPECT_EQ(open({{"price"}}, {"price", "price"}), "the column 'price' is to be kept twice; name it once");
  EXPECT_EQ(open({{"price"}}, {"tags"}).find("new.parquet: the column 'tags' holds lists, which a CSV file cannot"), 0U);
  EXPECT_EQ(open({{"price"}}, {"tags"}, Kept::as_arrays), "no error");
}

TEST(ArrowReader, kept_arrays_share_the_buffers_and_keep_them_alive) {
  HandStream hand(std::vector{numbers<double>("x", "g", {1, 2, 3}), texts("c", {"a", "b", "c"})});
  ArrowArrayStream stream = hand.make();
  ArrowArray shared{};
  {
    ArrowReader reader(ArrowStream(stream, "new.parquet"), {{"x"}}, {"c"}, Kept::as_arrays);
    Batch batch;
    ASSERT_TRUE(reader.next(batch, 2));
    ASSERT_TRUE(reader.next(batch, 2));
    ASSERT_NE(batch.kept_arrays, nullptr);
    EXPECT_EQ(batch.kept_arrays->fields()[0].name, "c");
    shared = batch.kept_arrays->share(0);
  }
  EXPECT_EQ(hand.open, 1);
  EXPECT_EQ(shared.length, 1);
  EXPECT_EQ(shared.offset, 2);
  EXPECT_EQ(static_cast<const char*>(shared.buffers[2])[2], 'c');
  shared.release(&shared);
  EXPECT_EQ(shared.release, nullptr);
  EXPECT_EQ(hand.open, 0);
}

TEST(ArrowReader, kept_cells_are_printed_as_a_csv_file_would_hold_them) {
  const std::vector<std::pair<HandColumn, std::string>> cells = {
      {numbers<std::int64_t>("k", "l", {9007199254740993}), "9007199254740993"},
      {numbers<std::uint64_t>("k", "L", {~std::uint64_t{0}}), "18446744073709551615"},
      {numbers<float>("k", "f", {0.1F}), "0.1"},
      {numbers<double>("k", "g", {0.1}), "0.1"},
      {numbers<double>("k", "g", {0.1}, "0"), ""},
      {numbers<std::uint16_t>("k", "e", {0x3E00}), "1.5"},
      {HandColumn{"k", "b", 1, {std::nullopt, bits_of("1")}}, "true"},
      {HandColumn{"k", "n", 1}, ""},
      {numbers<std::int32_t>("k", "d:9,3,32", {-1500}), "-1.500"},
      {numbers<std::int64_t>("k", "d:9,0,64", {0}), "0"},
      {numbers<std::int32_t>("k", "tdD", {-1}), "1969-12-31"},
      {numbers<std::int64_t>("k", "tsm:", {-1500}), "1969-12-31T23:59:58.5"},
      {numbers<std::int64_t>("k", "tsu:UTC", {1700000000123456}), "2023-11-14T22:13:20.123456"},
      {numbers<std::int64_t>("k", "tDs", {90}), "90"},
  };
  for (const auto& [column, expected] : cells) {
    SCOPED_TRACE(column.format);
    HandStream hand(std::vector{column});
    ArrowArrayStream stream = hand.make();
    ArrowReader reader(ArrowStream(stream, "new.parquet"), {}, {"k"});
    Batch batch;
    ASSERT_TRUE(reader.next(batch, 1));
    EXPECT_EQ(batch.kept, std::vector{expected});
  }
}

TEST(ArrowReader, a_file_without_rows) {
  HandStream hand(std::vector{numbers<double>("x", "g", {})});
  ArrowArrayStream stream = hand.make();
  ArrowReader reader(ArrowStream(stream, "new.parquet"), {{"x"}});
  Batch batch;
  EXPECT_FALSE(reader.next(batch, 1));
  EXPECT_THROW(reader.fail_no_rows(), Error);
}

}  // namespace
}  // namespace taut
