#include <taut/report/bins.hpp>

#include <taut/metric/interval.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

ScoreDistribution calibrator_of(Index n) {
  std::vector<double> scores(static_cast<std::size_t>(n));
  std::iota(scores.begin(), scores.end(), 0.0);
  return ScoreDistribution(scores);
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// P(X <= x), X being the number of m new scores below the k-th of n old ones; all orders of the m + n scores are equally likely.
double probability_at_most(Index x, Index m, Index n, Index k) {
  double sum = 0;
  for (Index j = 0; j <= x; ++j) {
    const auto a = static_cast<double>(j + k - 1), b = static_cast<double>(m - j + n - k);
    sum += std::exp(log_choose(a, static_cast<double>(j)) + log_choose(b, static_cast<double>(m - j)) -
                    log_choose(static_cast<double>(m + n), static_cast<double>(m)));
  }
  return sum;
}

TEST(ExpectedRanges, LeaveAnEqualShareOfOnePercentBeyondEachEnd) {
  for (const Index n : {9, 50, 400})
    for (const double level : {0.5, 0.8, 0.9})
      for (const Index groups : {1, 44, 300})
        for (const Index m : {1, 30, 200}) {
          const ScoreDistribution distribution = calibrator_of(n);
          const ExpectedRanges expected(distribution, level, 1000, groups);
          const CountRange range = expected.of(m);
          const double tail = 0.005 / static_cast<double>(groups);
          const Index k = distribution.rank(level);
          EXPECT_LT(probability_at_most(range.minimum - 1, m, n, k), tail * (1 + 1e-9));
          EXPECT_GE(probability_at_most(range.minimum, m, n, k), tail * (1 - 1e-9));
          EXPECT_GE(probability_at_most(range.maximum, m, n, k), (1 - tail) * (1 - 1e-12));
          EXPECT_LT(probability_at_most(range.maximum - 1, m, n, k), (1 - tail) * (1 + 1e-12));
        }
}

TEST(ExpectedRanges, AllRowsAreJudgedAsEvaluateJudgesThem) {
  const ScoreDistribution distribution = calibrator_of(50);
  const ExpectedRanges expected(distribution, 0.9, 200, 44);
  const Band band = coverage_band(200, 50, 46);
  EXPECT_EQ(static_cast<double>(expected.of(200).minimum) / 200, band.low);
  EXPECT_EQ(static_cast<double>(expected.of(200).maximum) / 200, band.high);
  EXPECT_EQ(expected.judge(expected.of(200).minimum, 200), Verdict::as_expected);
  EXPECT_EQ(expected.judge(expected.of(200).minimum - 1, 200), Verdict::too_low);
  EXPECT_EQ(expected.judge(expected.of(200).maximum, 200), Verdict::as_expected);
  EXPECT_EQ(expected.judge(expected.of(200).maximum + 1, 200), Verdict::too_high);
}

TEST(ExpectedRanges, TiesRaiseTheUpperEndOnly) {
  std::vector<double> scores(50, 1.0);  // ranks 1 to 50 have one score
  const ExpectedRanges tied(ScoreDistribution(scores), 0.5, 200, 10), untied(calibrator_of(50), 0.5, 200, 10);
  EXPECT_EQ(tied.of(40).minimum, untied.of(40).minimum);
  EXPECT_GT(tied.of(40).maximum, untied.of(40).maximum);
  EXPECT_EQ(tied.max_without_ties(), untied.of(200).maximum);
}

TEST(ExpectedRanges, TheWholeLineCoversEverything) {
  const ExpectedRanges expected(calibrator_of(5), 0.9, 100, 10);
  for (const Index m : {1, 7, 100}) {
    EXPECT_EQ(expected.of(m).minimum, m);
    EXPECT_EQ(expected.of(m).maximum, m);
  }
}

}  // namespace
}  // namespace taut
