#include <taut/calibrate/score_distribution.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> scores(static_cast<std::size_t>(n));
  std::iota(scores.begin(), scores.end(), 1.0);
  return scores;
}

TEST(Rank, WhereFloatingPointGoesWrong) {
  EXPECT_EQ(exact_rank(9, .9), 9);
  EXPECT_EQ(exact_rank(74, .68), 51);
  EXPECT_EQ(exact_rank(99, .55), 55);
  EXPECT_EQ(exact_rank(24, .56), 14);
  EXPECT_EQ(exact_rank(19, .9), 18);
  EXPECT_EQ(exact_rank(19, .05), 1);
  EXPECT_EQ(exact_rank(100, .9), 91);
}

// Against integers: level = i / 1000, k = ⌈(n + 1) i / 1000⌉, also when it is written as 1 − α.
TEST(Rank, ExactForEveryLevelOfThreeDigits) {
  for (Index n = 1; n <= 2000; n += n < 100 ? 1 : 37)
    for (Index i = 1; i < 1000; ++i) {
      const Index expected = ((n + 1) * i + 999) / 1000;
      EXPECT_EQ(exact_rank(n, static_cast<double>(i) / 1000), expected) << n << " " << i;
      EXPECT_EQ(exact_rank(n, 1 - static_cast<double>(1000 - i) / 1000), expected) << n << " 1 - " << 1000 - i;
    }
}

TEST(Rank, MinRowsForALevel) {
  EXPECT_EQ(min_calibration_rows(.9), 9);
  EXPECT_EQ(min_calibration_rows(.95), 19);
  EXPECT_EQ(min_calibration_rows(.99), 99);
  EXPECT_EQ(min_calibration_rows(.5), 1);
}

TEST(Rank, LevelsOutsideAreRefused) {
  for (const double level : {0.0, 1.0, 1.5, -0.1, missing}) EXPECT_THROW(exact_rank(10, level), UsageError) << level;
}

TEST(ScoreDistribution, QuantilesAgreeWithOtherPackages) {
  EXPECT_EQ(ScoreDistribution(one_to(5)).quantile(.8), 5);
  EXPECT_EQ(ScoreDistribution({1.0}).quantile(.9), infinity);
  const ScoreDistribution ten(one_to(10));
  EXPECT_EQ(ten.quantile(.95), infinity);
  EXPECT_EQ(ten.quantile(.9), 10);
  EXPECT_EQ(ten.quantile(.5), 6);
  EXPECT_EQ(ScoreDistribution(one_to(9)).quantile(.9), 9);
}

TEST(ScoreDistribution, OrderOfRowsChangesNothing) {
  const ScoreDistribution forward({3, 1, -infinity, 2}), backward({2, -infinity, 1, 3});
  EXPECT_EQ(forward.scores(), backward.scores());
  EXPECT_EQ(forward.quantile(.2), -infinity);
}

TEST(ScoreDistribution, LastRankCountsTies) {
  const ScoreDistribution distribution({0, 0, 0, 1, 1, 2, 3, 4, 5});
  EXPECT_EQ(distribution.last_rank(.1), 3);
  EXPECT_EQ(distribution.last_rank(.3), 3);
  EXPECT_EQ(distribution.last_rank(.4), 5);
  EXPECT_EQ(distribution.last_rank(.6), 6);
  EXPECT_EQ(distribution.last_rank(.9), 9);
  EXPECT_EQ(distribution.last_rank(.95), 10);  // as for a rank: too few rows
}

TEST(ScoreDistribution, RefusesWhatIsNoNumber) { EXPECT_THROW(ScoreDistribution({1, missing}), Error); }

TEST(ScoreDistribution, ComesBackFromAnArchiveAndRefusesDisorder) {
  Archive archive;
  ScoreDistribution({3, 1, 2}).save(archive);
  EXPECT_EQ(ScoreDistribution::load(archive).scores(), (std::vector<double>{1, 2, 3}));
  archive.put("scores", std::vector<double>{2, 1});
  EXPECT_THROW(ScoreDistribution::load(archive), Error);
  archive.put("scores", std::vector<double>{1, missing});
  EXPECT_THROW(ScoreDistribution::load(archive), Error);
}

// Smoothed ranks: the mean of the random rank is exactly (n + 1) · level, so coverage is exact too.
TEST(ScoreDistribution, SmoothedRanksAreExactOnAverage) {
  const ScoreDistribution distribution(one_to(10));
  for (const double level : {.05, .5, .77, .9, .95, .99}) {
    double covered = 0;  // P(a new score, uniform among the 11 ranks, is within the random rank)
    constexpr int draws = 110000;
    for (int i = 0; i < draws; ++i) {
      const double q = distribution.smoothed_quantile(level, (i + 0.5) / draws).value_or(0);
      covered += q == infinity ? 11 : q;
    }
    EXPECT_NEAR(covered / draws / 11, level, 1e-4) << level;
  }
}

// In scale families a residual of 0 has the score −infinity. That is a score like any other, not the empty set.
TEST(ScoreDistribution, OnlyTheRankZeroIsEmptyWhenSmoothed) {
  const ScoreDistribution distribution({-infinity, -infinity, -infinity, 1});
  EXPECT_EQ(distribution.smoothed_quantile(0.5, 0.3), -infinity);
  EXPECT_EQ(distribution.smoothed_quantile(0.1, 0.3), std::nullopt);  // (4 + 1) 0.1 + 0.3 < 1: rank 0
  EXPECT_EQ(distribution.smoothed_quantile(0.1, 0.6), -infinity);     // rank 1
}

// The y that set the quantile lies in its closed interval, however intermediate results are rounded.
TEST(Interval, KeepsTheTargetThatSetIt) {
  Random random(11);
  const auto fixed = transforms().make("fixed"), scaled = transforms().make("exp");
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const double magnitude = std::exp(random.uniform(-30, 30));
    const double f = magnitude * random.normal(),
                 y = repeat % 3 == 0 ? std::exp(random.uniform(-30, 30)) * random.normal() : f + 0.1 * random.normal();
    const double g = 3 * random.normal(), unit = repeat % 2 == 0 ? 1.0 : std::exp(random.uniform(-5, 5));
    const double r = std::abs(y - f);
    EXPECT_TRUE((RowScore{f, 1, *fixed, &g, &g}.at_most(fixed->conformity(r, &g)).contains(y))) << f << " " << y;
    EXPECT_TRUE((RowScore{f, unit, *scaled, &g, &g}.at_most(scaled->conformity(r / unit, &g)).contains(y))) << f << " " << y;
  }
}

TEST(Rank, OneRowIsTooFew) {
  EXPECT_TRUE(too_few_rows(1, 0.9).starts_with("1 calibration row is too few for confidence 0.9"));
  EXPECT_TRUE(
      too_few_for_bound(1, 0.9, "the upper bound at 0.9").starts_with("1 calibration row is too few for the upper bound"));
  EXPECT_TRUE(too_few_for_bound(2, 0.9, "the upper bound at 0.9").starts_with("2 calibration rows are too few"));
}

TEST(Interval, FixedKeepsRoundNumbersRound) {
  const auto fixed = transforms().make("fixed");
  const Interval interval = RowScore{100, 1, *fixed, nullptr, nullptr}.at_most(5);
  EXPECT_EQ(interval.lower, 95);
  EXPECT_EQ(interval.upper, 105);
}

TEST(Interval, TwoSidesHaveTheirOwnReach) {
  const auto phi = transforms().make("exp");
  const double below = -2 * std::log(1.0), above = -2 * std::log(3.0);  // s = 1 and s = 3
  const Interval interval = RowScore{10, 1, *phi, &below, &above}.at_most(std::log(2.0));
  EXPECT_NEAR(interval.lower, 8, 1e-12);
  EXPECT_NEAR(interval.upper, 16, 1e-12);
}

}  // namespace
}  // namespace taut
