#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

const Interval whole_line{};
const Interval nothing{infinity, -infinity};

TEST(Coverage, CountsClosedIntervals) {
  const std::vector<Interval> intervals{{0, 1}, {0, 1}, {0, 1}, whole_line, nothing, {2, 1}};
  const std::vector<double> y{0, 1, 1.5, 7, 0, 1.5};
  EXPECT_EQ(covered(intervals, y), (std::vector<std::uint8_t>{1, 1, 0, 1, 0, 0}));
  EXPECT_EQ(coverage(intervals, y), 0.5);
  EXPECT_TRUE(std::isnan(coverage({}, {})));
}

TEST(Width, OfAnInfiniteSetIsInfinite) {
  const std::vector<Interval> intervals{{0, 1}, {0, 4}, whole_line, {0, infinity}, nothing, {2, 1}, {3, 3}};
  EXPECT_EQ(mean_width(intervals), infinity);
  EXPECT_DOUBLE_EQ(median_width(intervals), 1);
  EXPECT_DOUBLE_EQ(median_finite_width(intervals), 0);
  EXPECT_DOUBLE_EQ(median_width(std::span(intervals).first(3)), 4);
  EXPECT_EQ(median_width(std::span(intervals).first(4)), infinity);
  EXPECT_EQ(empty_sets(intervals), 2);
  EXPECT_EQ(infinite_sets(intervals), 2);
  EXPECT_DOUBLE_EQ(unbounded_share(intervals), 2.0 / 7);
  const std::vector<Interval> finite{{0, 1}, {0, 4}, nothing, {2, 1}};
  EXPECT_DOUBLE_EQ(mean_width(finite), 1.25);
  EXPECT_DOUBLE_EQ(median_width(finite), 0.5);
  EXPECT_EQ(unbounded_share(finite), 0);
  EXPECT_EQ(mean_width({&whole_line, 1}), infinity);
  EXPECT_EQ(median_width({&whole_line, 1}), infinity);
  EXPECT_TRUE(std::isnan(mean_width({})));
  EXPECT_TRUE(std::isnan(median_finite_width({&whole_line, 1})));
}

TEST(IntervalScore, AgreesWithOtherPackages) {
  const std::vector<Interval> intervals{{5, 15}, {15, 25}, {12, 8}, {-5, 0}};
  EXPECT_DOUBLE_EQ(interval_score(intervals, std::vector<double>(4, 10.0), 0.1), 82.25);
}

// Leaving out rows with infinite intervals would reward a method for giving up on hard rows.
TEST(IntervalScore, OfAnInfiniteOrEmptySetIsInfinite) {
  const std::vector<double> y(2, 16.0);
  EXPECT_DOUBLE_EQ(interval_score(std::vector<Interval>{{5, 15}, {5, 15}}, y, 0.1), 30);
  for (const Interval& odd : {whole_line, nothing, Interval{0, infinity}, Interval{missing, missing}})
    EXPECT_EQ(interval_score(std::vector<Interval>{{5, 15}, odd}, y, 0.1), infinity);
}

TEST(CoverageBand, EdgeCases) {
  EXPECT_EQ(coverage_band(100, 8, 9).low, 1);  // infeasible rank: the whole line
  EXPECT_EQ(coverage_band(100, 8, 9).high, 1);
  EXPECT_TRUE(std::isnan(coverage_band(0, 99, 90).low));
  EXPECT_TRUE(std::isnan(coverage_band(100, 0, 0).high));
}

// N uniform scores whose k-th is the quantile, and n fresh rows: the band must contain its share of the coverages, and hardly
// more.
TEST(CoverageBand, HoldsTheShareItPromises) {
  Random random(11);
  const Index calibration = 39, rank = 36, rows = 50, repetitions = 20000;
  const Band band = coverage_band(rows, calibration, rank, 0.9);
  Index below = 0, at_low = 0, above = 0, at_high = 0;
  for (Index repetition = 0; repetition < repetitions; ++repetition) {
    std::vector<double> scores(calibration);
    for (double& score : scores) score = random.uniform();
    std::nth_element(scores.begin(), scores.begin() + (rank - 1), scores.end());
    Index hits = 0;
    for (Index i = 0; i < rows; ++i) hits += random.uniform() <= scores[rank - 1];
    const double coverage = static_cast<double>(hits) / static_cast<double>(rows);
    below += coverage < band.low;
    at_low += coverage <= band.low;
    above += coverage > band.high;
    at_high += coverage >= band.high;
  }
  const auto maximum = static_cast<Index>(0.05 * repetitions + 5 * std::sqrt(0.05 * 0.95 * repetitions));
  const auto minimum = static_cast<Index>(0.05 * repetitions - 5 * std::sqrt(0.05 * 0.95 * repetitions));
  EXPECT_LE(below, maximum);
  EXPECT_LE(above, maximum);
  EXPECT_GE(at_low, minimum);
  EXPECT_GE(at_high, minimum);
}

}  // namespace
}  // namespace taut
