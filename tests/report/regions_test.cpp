#include <taut/report/regions.hpp>

#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/report/bins.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

constexpr Index n = 6000;

// Columns: a number, a category, a number with missing cells.
Table random_table() {
  Random random(7);
  Table table{"t", {{"size"}, {"colour", ColumnKind::category, {"red", "green", "blue"}}, {"age"}}, Matrix(n, 3), {}};
  for (Index row = 0; row < n; ++row) {
    table.values(row, 0) = random.uniform(0, 100);
    table.values(row, 1) = static_cast<double>(random.below(3));
    table.values(row, 2) = random.uniform() < 0.2 ? missing : random.uniform(0, 1);
  }
  return table;
}

template <class Chance>
std::vector<std::uint8_t> draw(const Table& table, Chance chance, std::uint64_t seed = 11) {
  Random random(seed);
  std::vector<std::uint8_t> z;
  for (Index row = 0; row < table.rows(); ++row)
    z.push_back(random.uniform() < chance(table.values(row, 0), table.values(row, 1), table.values(row, 2)) ? 1 : 0);
  return z;
}

ScoreDistribution ranks_of(Index calibration_rows) {
  std::vector<double> scores(static_cast<std::size_t>(calibration_rows));
  std::iota(scores.begin(), scores.end(), 0.0);
  return ScoreDistribution(scores);
}

// With 99,999 calibration rows their randomness is negligible.
ExpectedRanges ranges_at(double level) { return {ranks_of(99999), level, n, RegionSearch::max_regions}; }

TEST(Regions, DescribesWhereItFailsByColumns) {
  const Table table = random_table();
  const auto weak = [](double size, double colour) { return size >= 75 && colour == 1; };
  const auto z = draw(table, [&](double size, double colour, double) { return weak(size, colour) ? 0.5 : 0.93; });
  const auto regions = RegionSearch(table, 0).find(z, 0.9, ranges_at(0.9));
  ASSERT_FALSE(regions.empty());
  const Region& worst = regions.front();
  EXPECT_TRUE(worst.clearly_low);
  EXPECT_NE(worst.words.find("colour is green"), std::string::npos) << worst.words;
  EXPECT_NE(worst.words.find("size ≥ 7"), std::string::npos) << worst.words;
  EXPECT_NEAR(static_cast<double>(worst.covered) / static_cast<double>(worst.rows), 0.5, 0.15);
  EXPECT_NEAR(static_cast<double>(worst.rows), n / 2.0 / 12, 60);
  EXPECT_NEAR(static_cast<double>(worst.all_rows), n / 12.0, 120);
  Index rows = 0, covered = 0;  // all rows that match the description
  const double cut = std::stod(worst.words.substr(worst.words.find("≥") + std::string("≥ ").size()));
  for (Index row = 0; row < n; ++row) {
    if (!(table.values(row, 0) >= cut && table.values(row, 1) == 1)) continue;
    ++rows;
    covered += z[static_cast<std::size_t>(row)];
  }
  EXPECT_EQ(worst.all_rows, rows) << worst.words;
  EXPECT_EQ(worst.all_covered, covered) << worst.words;
}

TEST(Regions, MissingCellsAreAPlaceToo) {
  const Table table = random_table();
  const auto z = draw(table, [](double, double, double age) { return std::isnan(age) ? 0.6 : 0.95; });
  const auto regions = RegionSearch(table, 0).find(z, 0.9, ranges_at(0.9));
  ASSERT_FALSE(regions.empty());
  EXPECT_EQ(regions.front().words, "age is missing");
}

// A region is tested on rows that did not grow the tree: where misses are pure chance, hardly any region may be called clearly
// low.
TEST(Regions, ChanceIsNotTakenForAFailure) {
  const Table table = random_table();
  const RegionSearch search(table, 0);
  const ExpectedRanges expected = ranges_at(0.9);
  int clear = 0;
  double biased = 0, tested = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto z = draw(
        table, [](double, double, double) { return 0.9; }, 100 + seed);
    for (const Region& region : search.find(z, 0.9, expected)) {
      clear += region.clearly_low;
      biased += region.search_coverage < 0.9;
      tested += 1;
    }
  }
  EXPECT_EQ(biased, tested);  // the search selects low coverage
  EXPECT_LE(clear, 3);        // 60 · 0.01 / 2 = 0.3 expected; P(more than 3) < 1e-3
}

// The search and the test use the same calibration set. If coverage is the same everywhere, its randomness must not make regions
// fail more often than stated: the lower ends of three regions have 0.5 % together.
TEST(Regions, RandomnessOfTheCalibrationRowsIsNotTakenForAFailure) {
  constexpr int runs = 1000;
  constexpr Index calibration_rows = 50;
  constexpr double level = 0.9;
  const Table table = random_table();
  const RegionSearch search(table, 0);
  const Index rank = ranks_of(calibration_rows).rank(level);
  const ExpectedRanges expected(ranks_of(calibration_rows), level, n, RegionSearch::max_regions);
  int failed = 0;
  for (int run = 0; run < runs; ++run) {
    Random random(1000 + static_cast<std::uint64_t>(run));
    std::vector<double> uniform(calibration_rows);
    for (double& value : uniform) value = random.uniform();
    std::sort(uniform.begin(), uniform.end());
    const double coverage = uniform[static_cast<std::size_t>(rank - 1)];
    std::vector<std::uint8_t> covered(n);
    for (auto& one : covered) one = random.uniform() < coverage ? 1 : 0;
    const auto regions = search.find(covered, level, expected);
    failed += std::any_of(regions.begin(), regions.end(), [](const Region& region) { return region.clearly_low; });
  }
  EXPECT_LT(binomial_cdf(failed - 1, runs, 0.005), 1 - 1e-6) << failed << " of " << runs;
}

TEST(Regions, NothingToFindOrNothingToSplit) {
  const Table table = random_table();
  EXPECT_TRUE(RegionSearch(table, 0).find(std::vector<std::uint8_t>(n, 1), 0.9, ranges_at(0.9)).empty());
  const Table none{"t", {}, Matrix(50, 0), {}};
  EXPECT_TRUE(RegionSearch(none, 0).find(std::vector<std::uint8_t>(50, 0), 0.9, ranges_at(0.9)).empty());
  const Table tiny{"t", {{"x"}}, Matrix::Zero(3, 1), {}};
  EXPECT_TRUE(RegionSearch(tiny, 0).find(std::vector<std::uint8_t>(3, 0), 0.9, ranges_at(0.9)).empty());
}

TEST(Bins, HoldEveryRowOnceAndEqualValuesTogether) {
  const Table table = random_table();
  for (Index column = 0; column < 3; ++column) {
    const Bins bins = bins_along(table, column, 10);
    Index total = 0;
    for (const Bin& bin : bins.bins) total += bin.rows;
    EXPECT_EQ(total, n);
    std::vector<Index> counted = bins.count(std::vector<std::uint8_t>(n, 1));
    for (std::size_t bin = 0; bin < bins.bins.size(); ++bin) EXPECT_EQ(counted[bin], bins.bins[bin].rows);
  }
  EXPECT_EQ(bins_along(table, 0, 10).bins.size(), 10U);
  EXPECT_EQ(bins_along(table, 0, 10).bins.front().rows, n / 10);
  EXPECT_EQ(bins_along(table, 1, 10).bins.size(), 3U);
  EXPECT_EQ(bins_along(table, 1, 2).bins.back().name, "all others");
  EXPECT_EQ(bins_along(table, 2, 10).bins.back().name, "missing");

  Table grades{"t", {{"grade"}}, Matrix(100, 1), {}};
  for (Index row = 0; row < 100; ++row) grades.values(row, 0) = static_cast<double>(row % 4);
  const Bins bins = bins_along(grades, 0, 10);
  ASSERT_EQ(bins.bins.size(), 4U);
  EXPECT_EQ(bins.bins[2].name, "2");
  EXPECT_EQ(bins.bins[2].rows, 25);
}

TEST(Bins, CutsHaveFewDigits) {
  EXPECT_EQ(round_cut(4187.3, 4312.9), 4300);
  EXPECT_EQ(round_cut(8, 9), 9);
  EXPECT_EQ(round_cut(0.1234, 0.1235), 0.1235);
  EXPECT_EQ(round_cut(-3, 2), 0);
  const double next = std::nextafter(0.1, 1);
  EXPECT_EQ(round_cut(0.1, next), next);
}

TEST(Bins, ShareExplained) {
  const Table table = random_table();
  std::vector<double> by_size, flat(n, 2.0);
  for (Index row = 0; row < n; ++row) by_size.push_back(std::exp(table.values(row, 0)));
  EXPECT_GT(share_explained(bins_along(table, 0, 10), by_size), 0.98);
  EXPECT_LT(share_explained(bins_along(table, 1, 10), by_size), 0.01);
  EXPECT_EQ(share_explained(bins_along(table, 0, 10), flat), 0);
}

}  // namespace
}  // namespace taut
