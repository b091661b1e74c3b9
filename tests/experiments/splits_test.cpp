#include <experiments/comparison_splits.hpp>
#include <taut/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace taut {
namespace {

// Columns t, which decreases along the file, g, groups of unequal sizes, and y.
Table numbered(Index rows) {
  Table table;
  table.columns = {{"t"}, {"g"}, {"y"}};
  table.values.resize(rows, 3);
  for (Index i = 0; i < rows; ++i)
    table.values.row(i) << static_cast<double>(rows - i), static_cast<double>((i * i) % 37), static_cast<double>(i);
  return table;
}

std::set<double> cells(const Table& table, Index column) {
  std::set<double> result;
  for (Index row = 0; row < table.rows(); ++row) result.insert(table.values(row, column));
  return result;
}

bool disjoint(const std::set<double>& a, const std::set<double>& b) {
  return std::none_of(a.begin(), a.end(), [&](double one) { return b.contains(one); });
}

TEST(ComparedRows, HalvesAndTheirQuartersUseEveryRowOnce) {
  const Table table = numbered(101);
  FitOptions options;
  options.target = "y";
  const ComparedRows rows(table, options, 2, {});
  EXPECT_EQ(rows.design(), Design::rows);
  EXPECT_EQ(rows.splits().size(), 4U);
  EXPECT_EQ(rows.nested().size(), 8U);
  std::set<Index> seeds;
  for (const auto& splits : {rows.splits(), rows.nested()})
    for (const ComparisonSplit& split : splits) seeds.insert(seed_of(split, 7));
  EXPECT_EQ(seeds.size(), 12U);
  const SplitTable halves = rows.cut({0, 0, {}}), swapped = rows.cut({0, 1, {}});
  EXPECT_EQ(cells(halves.fitted, 2), cells(swapped.tested, 2));
  for (const std::size_t half : {0U, 1U}) {
    // Half 0 is tested where `tested` is 0.
    const auto whole = cells(half == 0 ? halves.tested : swapped.tested, 2);
    const SplitTable quarters = rows.cut({0, 0, half});
    auto together = cells(quarters.fitted, 2);
    EXPECT_TRUE(disjoint(together, cells(quarters.tested, 2)));
    together.merge(cells(quarters.tested, 2));
    EXPECT_EQ(together, whole);
  }
  EXPECT_NE(cells(rows.cut({1, 0, {}}).tested, 2), cells(halves.tested, 2));
}

TEST(ComparedRows, GroupsAreNeverOnBothSides) {
  const Table table = numbered(300);
  FitOptions options;
  options.target = "y";
  options.keep_together = "g";
  const ComparedRows rows(table, options, 3, {});
  EXPECT_EQ(rows.design(), Design::groups);
  for (const auto& splits : {rows.splits(), rows.nested()})
    for (const ComparisonSplit& split : splits) {
      const SplitTable tables = rows.cut(split);
      EXPECT_TRUE(disjoint(cells(tables.fitted, 1), cells(tables.tested, 1)));
      if (!split.within) {
        EXPECT_EQ(tables.fitted.rows() + tables.tested.rows(), 300);
      }
    }
  Table few = table;
  for (Index i = 0; i < few.rows(); ++i) few.values(i, 1) = static_cast<double>(i % 5);
  EXPECT_THROW(ComparedRows(few, options, 3, {}), Error);
}

TEST(ComparedRows, LaterRowsAreTestedByEarlierOnes) {
  const Table table = numbered(203);
  FitOptions options;
  options.target = "y";
  options.order_by = "t";
  options.gap = 3;
  const ComparedRows rows(table, options, 4, {});
  EXPECT_EQ(rows.design(), Design::time);
  EXPECT_EQ(rows.splits().size(), 4U);
  EXPECT_TRUE(rows.nested().empty());
  std::set<double> tested;
  for (const ComparisonSplit& split : rows.splits()) {
    const SplitTable tables = rows.cut(split);
    const auto before = cells(tables.fitted, 0), after = cells(tables.tested, 0);
    EXPECT_EQ(*before.begin(), 1);
    EXPECT_EQ(*before.rbegin() + 1 + 3, *after.begin());
    EXPECT_EQ(static_cast<Index>(before.size()), tables.fitted.rows());
    EXPECT_TRUE(disjoint(tested, after));
    tested.insert(after.begin(), after.end());
  }
  EXPECT_EQ(*tested.rbegin(), 203);
  EXPECT_EQ(tested.size(), 102U - 4 * 3);
  EXPECT_THROW(ComparedRows(table, options, 9, {}), Error);
}

TEST(ComparedRows, ASampleIsWholeGroupsOrTheLatestRows) {
  const Table table = numbered(300);
  FitOptions options;
  options.target = "y";
  EXPECT_EQ(sample_of(table, options, 100, {}).rows(), 100);
  options.keep_together = "g";
  const Table groups = sample_of(table, options, 100, {});
  EXPECT_LE(groups.rows(), 100);
  for (const double group : cells(groups, 1)) {
    const auto count = [&](const Table& of) { return (of.values.col(1).array() == group).count(); };
    EXPECT_EQ(count(groups), count(table));
  }
  options.keep_together.clear();
  options.order_by = "t";
  const Table latest = sample_of(table, options, 100, {});
  EXPECT_EQ(*cells(latest, 0).begin(), 201);
}

}  // namespace
}  // namespace taut
