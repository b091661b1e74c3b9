// Scores and sets around two predicted ends: conformalized quantile regression, with max(lower − y, y − upper) as the score.
#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {
namespace {

const auto fixed = transforms().make("fixed");

RowScore score_of(double lower, double upper) { return {RowPrediction(lower, upper), 1, *fixed, nullptr, nullptr}; }

// Numbers of MAPIE and yromano/cqr for the same predictions.
TEST(RowPrediction, ClassicalNumbers) {
  const RowScore first = score_of(0.2, 0.7), second = score_of(0.3, 0.8);
  EXPECT_DOUBLE_EQ(first(0.5), -0.2);
  EXPECT_DOUBLE_EQ(second(0.4), -0.1);
  EXPECT_DOUBLE_EQ(first.at_most(0.1).lower, 0.1);
  EXPECT_DOUBLE_EQ(first.at_most(0.1).upper, 0.8);
  EXPECT_DOUBLE_EQ(second.at_most(0.1).lower, 0.2);
  EXPECT_DOUBLE_EQ(second.at_most(0.1).upper, 0.9);
}

struct Ends {
  double lower, upper;
};

// Ends of all magnitudes, some equal, some around 0, where doubles are closest together.
Ends random_ends(Random& random) {
  const double scale = std::pow(10, static_cast<double>(random.below(9)) - 4), centre = scale * random.normal();
  const double half = random.below(8) == 0 ? 0 : scale * random.uniform();
  return random.below(4) == 0 ? Ends{-half, half} : Ends{centre - half, centre + half};
}

// A y with this score or one close to it: on the ends, beside them, in the middle.
std::vector<double> places(const Ends& ends, Random& random) {
  const double half = (ends.upper - ends.lower) / 2, middle = ends.lower + half;
  std::vector<double> all = {ends.lower, ends.upper, middle, 0.0};
  for (int i = 0; i < 6; ++i) all.push_back(middle + 3 * (half + 0.1) * random.normal());
  for (int i = 0; i < 6; ++i) all.push_back(middle + half * random.uniform(-1, 1));
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const double way : {-infinity, infinity}) all.push_back(std::nextafter(all[i], way));
  return all;
}

TEST(RowPrediction, TheScoreIsTheClassicalOneToTheLastBit) {
  Random random(1);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const auto [lower, upper] = random_ends(random);
    const RowScore score = score_of(lower, upper);
    for (const double y : places({lower, upper}, random)) EXPECT_EQ(score(y), std::max(lower - y, y - upper));
  }
}

// lower − q and upper + q, moved outward by at most one rounding, so that every y with a score of at most q is inside.
TEST(RowPrediction, TheSetIsTheClassicalOneUpToOneRounding) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Random random(2);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const auto [lower, upper] = random_ends(random);
    const RowScore score = score_of(lower, upper);
    const auto all = places({lower, upper}, random);
    for (const double at : all) {
      const double q = score(at);
      const Interval set = score.at_most(q);
      ASSERT_FALSE(set.empty()) << lower << " " << upper << " " << at;
      EXPECT_LE(set.lower, lower - q);
      EXPECT_GE(set.upper, upper + q);
      EXPECT_GE(set.lower, std::min(score.f(), lower - q) - 2 * epsilon * std::max(std::abs(lower), std::abs(q)));
      EXPECT_LE(set.upper, std::max(score.f(), upper + q) + 2 * epsilon * std::max(std::abs(upper), std::abs(q)));
      for (const double y : all) EXPECT_TRUE(set.contains(y) || score(y) > q) << y << " in " << set.lower << " " << set.upper;
    }
  }
}

// Below minus the half-width the set is empty, where other packages return a lower end above the upper one.
TEST(RowPrediction, ATooSmallScoreMeansTheEmptySetAndSetsAreNested) {
  const RowScore score = score_of(-1, 3);
  EXPECT_TRUE(score.at_most(-2.001).empty());
  EXPECT_FALSE(score.at_most(-2).empty());
  EXPECT_TRUE(score.at_most(-2).contains(1));
  Random random(3);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const auto [lower, upper] = random_ends(random);
    const RowScore one = score_of(lower, upper);
    std::vector<double> q;
    for (int i = 0; i < 20; ++i) q.push_back((upper - lower + 0.1) * random.normal());
    std::sort(q.begin(), q.end());
    Interval inner{infinity, -infinity};
    for (const double at : q) {
      const Interval set = one.at_most(at);
      if (!inner.empty()) {
        EXPECT_LE(set.lower, inner.lower);
        EXPECT_GE(set.upper, inner.upper);
      }
      inner = set;
    }
  }
}

TEST(RowPrediction, TheSignedScoreRisesWithYAndBoundsHoldTheYThatSetThem) {
  Random random(4);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const auto [lower, upper] = random_ends(random);
    const RowScore score = score_of(lower, upper);
    auto all = places({lower, upper}, random);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const SignedScore t = score.signed_at(all[i]);
      EXPECT_TRUE(i == 0 || score.signed_at(all[i - 1]) <= t) << all[i];
      EXPECT_GE(score.highest_at(t), all[i]);
      EXPECT_LE(score.lowest_at(t), all[i]);
    }
  }
}

// All answers of one distribution: bounds follow the exact ranks of signed scores, quantiles do not cross.
TEST(RowPrediction, BoundsAreExactRanksOfTheSignedScores) {
  const std::vector<double> y = {-3, -1, 0.5, 1, 2, 2.5, 4, 7, 9};
  std::vector<double> scores;
  std::vector<Side> sides;
  const RowScore score = score_of(0, 4);
  for (const double value : y) {
    scores.push_back(score(value));
    sides.push_back(score.signed_at(value).side);
  }
  const ScoreDistribution distribution(scores, sides);
  const TargetRange anything;
  const PredictiveDistribution row(distribution, score, anything);
  EXPECT_EQ(row.upper(0.9), 9);   // the ninth of nine
  EXPECT_EQ(row.upper(0.8), 7);   // the eighth
  EXPECT_EQ(row.lower(0.9), -3);  // the ninth from above
  EXPECT_EQ(row.lower(0.5), 2);
  EXPECT_EQ(row.upper(0.95), infinity);
  EXPECT_EQ(row.below(2.5).low, 0.6);
  double last = -infinity;
  for (const double p : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    EXPECT_GE(row.quantile(p), last) << p;
    last = row.quantile(p);
  }
}

TEST(RowPredictions, CrossedEndsAreCountedAndTakenInOrder) {
  const RowPredictions given({1, 5, 3}, {2, 4, 3});
  EXPECT_EQ(given.crossed(), 1);
  EXPECT_EQ(given[1].lower, 4);
  EXPECT_EQ(given[1].upper, 5);
  EXPECT_EQ(given.f(), (std::vector{1.5, 4.5, 3.0}));
  constexpr double maximum = std::numeric_limits<double>::max();
  EXPECT_EQ(RowPrediction(maximum, maximum).f, maximum);
}

}  // namespace
}  // namespace taut
