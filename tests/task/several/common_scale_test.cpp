#include <taut/core/random.hpp>
#include <taut/task/several/common_scale.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

// Scores of the size of an exponential distribution, of which a quarter is below.
std::vector<SignedScore> sampled_scores(Index rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < rows; ++i)
    scores.push_back({random.uniform() < 0.25 ? Side::below : Side::above, -std::log(1 - random.uniform())});
  return scores;
}

std::vector<SignedScore> ascending(const CommonScale&) {
  std::vector<SignedScore> all;
  for (double s = 40; s > -2; s -= 0.01) all.push_back({Side::below, s});
  all.push_back({Side::below, -infinity});
  all.push_back({Side::above, -infinity});
  for (double s = -2; s < 40; s += 0.01) all.push_back({Side::above, s});
  return all;
}

TEST(CommonScale, NeverDecreases) {
  for (const Index rows : {1, 2, 7, 100, 3000}) {
    const CommonScale scale(sampled_scores(rows, 5));
    double before = -infinity;
    for (const SignedScore& t : ascending(scale)) {
      EXPECT_GE(scale(t), before) << rows;
      before = scale(t);
    }
    EXPECT_EQ(scale({Side::above, infinity}), infinity);
    EXPECT_EQ(scale({Side::below, infinity}), -infinity);
  }
}

TEST(CommonScale, FreshScoresExceedEachSizeEquallyOftenOnBothSides) {
  const CommonScale scale(sampled_scores(20'000, 1));
  const auto fresh = sampled_scores(40'000, 2);
  for (const double size : {0.5, 1.0, 2.0, 3.0, 4.0}) {
    double below = 0, above = 0;
    for (const SignedScore& t : fresh) {
      below += scale(t) < -size ? 1 : 0;
      above += scale(t) > size ? 1 : 0;
    }
    const double expected = std::exp(-size) / 2 * 40'000;
    EXPECT_NEAR(below, expected, 5 * std::sqrt(3 * expected));  // the scale has errors of its own
    EXPECT_NEAR(above, expected, 5 * std::sqrt(3 * expected));
  }
}

TEST(CommonScale, EndsLoseNoScoreByRounding) {
  for (const Index rows : {3, 50, 2000}) {
    const CommonScale scale(sampled_scores(rows, 3));
    for (const SignedScore& t : sampled_scores(500, 4)) {
      const double w = scale(t);
      EXPECT_GE(scale.highest_at(w), t);
      EXPECT_LE(scale.lowest_at(w), t);
      EXPECT_LE(scale(scale.highest_at(w)), w);
      EXPECT_GE(scale(scale.lowest_at(w)), w);
      // Near the centre w jumps if it is between the innermost scores of both sides.
      if (std::abs(w) > 1) {
        EXPECT_NEAR(scale(scale.at(w)), w, 1e-9 * (1 + std::abs(w)));
      }
    }
    EXPECT_EQ(scale.highest_at(infinity), (SignedScore{Side::above, infinity}));
    EXPECT_EQ(scale.lowest_at(-infinity), (SignedScore{Side::below, infinity}));
  }
}

TEST(CommonScale, EqualAndInfiniteScoresAreFine) {
  std::vector<SignedScore> scores(50, {Side::above, 0.0});
  scores.resize(60, {Side::above, -infinity});
  scores.push_back({Side::above, infinity});
  const CommonScale scale(scores);
  EXPECT_TRUE(std::isfinite(scale({Side::above, 1.0})));
  EXPECT_TRUE(std::isfinite(scale({Side::below, 1.0})));
  EXPECT_GT(scale({Side::above, 1.0}), scale({Side::above, 0.0}));
}

TEST(CommonScale, NormalScoresHaveTheSameProbability) {
  for (double w = -500; w <= 500; w += 3.7) {
    const double n = normal_score(w), p = 0.5 * std::exp(-std::abs(w));
    EXPECT_EQ(std::signbit(n), std::signbit(w));
    if (std::abs(w) < 600) {
      EXPECT_NEAR(std::log(0.5 * std::erfc(std::abs(n) / std::sqrt(2.0))), std::log(p), 1e-8 * (1 + std::abs(w)));
      EXPECT_NEAR(laplace_score(n), w, 1e-7 * (1 + std::abs(w)));
    }
  }
  EXPECT_EQ(normal_score(0), 0);
}

}  // namespace
}  // namespace taut
