// Inputs that are computed from earlier rows, and from nothing else.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/time/past_inputs.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

Table some_rows(Index rows, std::uint64_t seed = 1) {
  Random random(seed);
  Table table{.source = "rows", .columns = {{"x"}, {"y"}}, .values = Matrix(rows, 2), .lines = {}};
  for (Index row = 0; row < rows; ++row) {
    table.values(row, 0) = random.uniform();
    table.values(row, 1) = random.uniform();
  }
  return table;
}

FitOptions options_of(std::vector<Index> lags, std::vector<Index> rolling, Index delay = 0, bool of_x = false) {
  FitOptions options;
  options.target = "y";
  options.in_order = true;
  options.lags = std::move(lags);
  options.rolling = std::move(rolling);
  options.delay = delay;
  if (of_x) options.past_of = {"x"};
  options.check();
  return options;
}

Rows rows_of(Index count) { return all_rows(count); }

// Two NaN are equal here.
void expect_same(double a, double b, const std::string& where) {
  if (std::isnan(a) || std::isnan(b))
    EXPECT_EQ(std::isnan(a), std::isnan(b)) << where;
  else
    EXPECT_EQ(a, b) << where;
}

TEST(PastInputs, AreComputedFromEarlierRows) {
  const Table table = some_rows(50);
  const Index delay = 2;
  const PastInputs past(table, options_of({3, 5}, {4}, delay, true), rows_of(50));
  const TableView made = past.extended(table, rows_of(50));
  ASSERT_EQ(made.names(), (std::vector<std::string>{"x", "y", "y lag 3", "y lag 5", "y mean of 4", "y spread of 4", "x lag 3",
                                                    "x lag 5", "x mean of 4", "x spread of 4"}));
  for (Index row = 0; row < 50; ++row)
    for (const Index source : {Index{1}, Index{0}}) {
      const Index first = source == 1 ? 2 : 6;
      expect_same(made(row, first), row >= 3 ? table.values(row - 3, source) : missing, "lag 3");
      expect_same(made(row, first + 1), row >= 5 ? table.values(row - 5, source) : missing, "lag 5");
      double sum = 0, squares = 0, count = 0;
      const Index last = row - 1 - (source == 1 ? delay : 0);
      for (Index at = std::max<Index>(0, last - 3); at <= last; ++at) {
        sum += table.values(at, source);
        squares += table.values(at, source) * table.values(at, source);
        ++count;
      }
      if (count == 0) {
        EXPECT_TRUE(std::isnan(made(row, first + 2)));
        continue;
      }
      EXPECT_NEAR(made(row, first + 2), sum / count, 1e-12);
      if (count > 1) {
        EXPECT_NEAR(made(row, first + 3), std::sqrt((squares - sum * sum / count) / (count - 1)), 1e-9);
      }
    }
}

TEST(PastInputs, NeverSeeTheFutureNorATargetThatIsNotKnown) {
  for (const Index delay : {Index{0}, Index{3}}) {
    const PastInputs past(some_rows(60), options_of({delay + 1, 9}, {2, 7}, delay, true), rows_of(60));
    const Table table = some_rows(60);
    Table other = table;
    for (Index row = 30; row < 60; ++row)
      for (Index column = 0; column < 2; ++column) other.values(row, column) += 100;
    const TableView first = past.extended(table, rows_of(60)), second = past.extended(other, rows_of(60));
    Index changed = 60;
    for (Index row = 59; row >= 0; --row)
      for (Index column = 2; column < std::ssize(first.columns()); ++column) {
        const bool is_of_target = first.columns()[static_cast<std::size_t>(column)].name.starts_with("y");
        const double a = first(row, column), b = second(row, column);
        const bool is_same = a == b || (std::isnan(a) && std::isnan(b));
        if (row <= 30 + (is_of_target ? delay : 0)) {
          EXPECT_TRUE(is_same) << row << " " << first.columns()[static_cast<std::size_t>(column)].name;
        }
        if (is_of_target && !is_same) changed = row;
      }
    EXPECT_EQ(changed, 31 + delay);  // it is used as soon as it is known
  }
}

TEST(PastInputs, InPiecesAndAfterAFileAreTheSame) {
  const FitOptions options = options_of({2, 9}, {5}, 1, true);
  const Table table = some_rows(40);
  const PastInputs fresh(table, options, rows_of(40));
  const TableView whole = fresh.extended(table, rows_of(40));
  PastInputs past = fresh;
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 1}, {1, 4}, {4, 23}, {23, 40}}) {
    Table piece = some_rows(end - begin);
    piece.values = table.values.middleRows(begin, end - begin);
    const TableView made = past.extended(piece, rows_of(end - begin));
    for (Index row = begin; row < end; ++row)
      for (Index column = 0; column < std::ssize(whole.columns()); ++column)
        expect_same(made(row - begin, column), whole(row, column), std::to_string(row));
    past.remember(past.cells(piece), rows_of(end - begin));
    Archive archive;
    past.save(archive.scope("past"));
    past = PastInputs::load(Archive::decode(archive.encode()).scope("past"), past.sources(), options);
  }
}

TEST(PastInputs, RowsMayStandInAnotherOrder) {
  const FitOptions options = options_of({1}, {});
  const Table table = some_rows(20);
  Rows order;
  for (Index row = 19; row >= 0; --row) order.push_back(row);
  const TableView made = PastInputs(table, options, rows_of(20)).extended(table, order);
  for (Index row = 0; row < 19; ++row) EXPECT_EQ(made(row, 2), table.values(row + 1, 1));
}

TEST(PastInputs, MissingTargetsAreLeftOut) {
  Table table = some_rows(10);
  table.values(4, 1) = missing;
  const TableView made = PastInputs(table, options_of({1}, {2}), rows_of(10)).extended(table, rows_of(10));
  EXPECT_TRUE(std::isnan(made(5, 2)));
  EXPECT_EQ(made(5, 3), table.values(3, 1));  // the mean of the only one that is known
  EXPECT_TRUE(std::isnan(made(5, 4)));
}

TEST(PastInputs, RefuseWhatMakesNoSense) {
  EXPECT_THROW(options_of({0}, {}), UsageError);
  EXPECT_THROW(options_of({3}, {}, 3), UsageError);  // not known yet
  EXPECT_THROW(options_of({1, 1}, {}), UsageError);
  EXPECT_THROW(options_of({}, {1}), UsageError);
  EXPECT_THROW(options_of({}, {}, 0, true), UsageError);
  FitOptions unordered = options_of({1}, {});
  unordered.in_order = false;
  EXPECT_THROW(unordered.check(), UsageError);
  Table table = some_rows(5);
  table.columns[0].name = "y lag 1";
  EXPECT_THROW(PastInputs(table, options_of({1}, {}), rows_of(5)), Error);
  Archive archive;
  archive.put("cells", std::vector<double>(7, 0.0));
  EXPECT_THROW(PastInputs::load(archive, {{"x"}}, options_of({1}, {})), Error);
  EXPECT_THROW(PastInputs::load(archive, {{"y"}}, options_of({1}, {})), Error);  // more rows than it looks back
}

}  // namespace
}  // namespace taut
