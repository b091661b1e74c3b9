#include <taut/calibrate/score_scale.hpp>

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/transform/transform.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut {
namespace {

using Limits = std::numeric_limits<double>;

// "root0" is the root scale after training targets that are never negative.
const std::vector<std::string> scales = {"as-is", "root", "root0", "log"};

ScoreScale scale_named(const std::string& name) {
  return name == "root0" ? ScoreScale("root", std::vector<double>{0, 3}) : ScoreScale(name, {});
}

// Numbers of all sizes and signs, 0 and the ends of the doubles among them.
std::vector<double> all_sizes(Random& random) {
  std::vector<double> numbers = {
      0,  -0.0,  Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min(), 1, 2, 4, 1e-300, Limits::max(), -1e-320,
      -1, -1e300};
  for (int i = 0; i < 100; ++i) {
    const double size = std::pow(10.0, random.uniform(-323, 308));
    numbers.push_back(i % 4 == 0 ? -size : size);
    numbers.push_back(std::exp(random.normal()));
    numbers.push_back(std::nextafter(numbers.back(), i % 2 == 0 ? infinity : 0));
  }
  return numbers;
}

TEST(ScoreScale, EndsAreRoundedOutwardAndByLittle) {
  Random random(3);
  for (const auto& name : scales) {
    const ScoreScale scale = scale_named(name);
    for (const double y : all_sizes(random)) {
      const double z = scale.forward(y), low = scale.lowest(z), high = scale.highest(z);
      ASSERT_LE(low, y) << name;
      ASSERT_GE(high, y) << name;
      if (z == -infinity) continue;
      const double allowed = 1e-12 * std::abs(y) + 8 * Limits::denorm_min();
      EXPECT_TRUE(high - y <= allowed || high == infinity) << name << " " << y << " " << high;
      EXPECT_LE(y - low, allowed) << name << " " << y << " " << low;
      EXPECT_TRUE(name != "as-is" || (low == y && high == y));
    }
  }
}

TEST(ScoreScale, TargetsBelowAScaleAreInfinitelyFar) {
  const ScoreScale scale("log", std::vector<double>{4, 2, 8});
  for (const double y : {0.0, -0.0, -1e-320, -5.0}) EXPECT_EQ(scale.forward(y), -infinity);
  EXPECT_EQ(scale.highest(-infinity), 0);
  EXPECT_EQ(scale.lowest(-infinity), -infinity);
  EXPECT_EQ(scale.value(-infinity), 0);
  EXPECT_GT(scale.lowest(-1e9), 0);
  EXPECT_EQ(scale.centre(-3), std::log(1.0));
  EXPECT_EQ(scale.centre(0.5), std::log(1.0));
  EXPECT_EQ(scale.centre(3), std::log(3.0));
  EXPECT_EQ(scale.lowest(1e9), Limits::max());
  EXPECT_EQ(scale.highest(1e9), Limits::max());
  const ScoreScale root = scale_named("root0");
  EXPECT_EQ(root.forward(-1e-320), -infinity);
  EXPECT_EQ(root.forward(0), 0);
  EXPECT_EQ(root.lowest(-2), 0);
  EXPECT_EQ(root.lowest(-infinity), -infinity);
  EXPECT_EQ(root.centre(-2), 0);
  EXPECT_EQ(ScoreScale("root", {}).lowest(1e200), Limits::max());
  EXPECT_EQ(ScoreScale("root", {}).lowest(-1e200), -Limits::max());
}

TEST(ScoreScale, TheLogScaleNeedsPositiveTrainingTargets) {
  try {
    ScoreScale("log", std::vector<double>{3, 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "--score-scale log needs targets above 0, the smallest training target is 0; --score-scale root takes any number");
  }
  EXPECT_NO_THROW(ScoreScale("root", std::vector<double>{3, -1}));
}

TEST(ScoreScale, SurvivesItsArchive) {
  for (const auto& name : scales) {
    Archive archive;
    const ScoreScale scale = name == "log" ? ScoreScale(name, std::vector<double>{4, 2, 8}) : scale_named(name);
    scale.save(archive);
    EXPECT_EQ(archive.names().empty(), name == "as-is");
    const ScoreScale loaded = ScoreScale::load(archive);
    EXPECT_EQ(loaded.name(), scale.name());
    EXPECT_EQ(loaded.centre(-1), scale.centre(-1));
    EXPECT_EQ(loaded.forward(-1), scale.forward(-1));
  }
  Archive damaged;
  damaged.put("score_scale", std::string("log"));
  damaged.put("score_min_centre", -1.0);
  EXPECT_THROW(ScoreScale::load(damaged), Error);
  damaged.put("score_scale", std::string("cube"));
  EXPECT_THROW(ScoreScale::load(damaged), Error);
}

// A score of every transformation on every scale, with parameters that differ between the sides.
class EveryScore : public ::testing::TestWithParam<std::string> {
 protected:
  RowScore score(const std::string& transform, double f, Random& random) {
    phi_ = transforms().make(transform);
    for (auto* side : {&below_, &above_}) {
      side->assign(static_cast<std::size_t>(phi_->n_params()) + 1, 0);
      phi_->initial(side->data());
      for (double& one : *side) one += 0.5 * random.normal();
    }
    const ScoreScale scale = scale_named(GetParam());
    const double unit = phi_->n_params() == 0 ? 1 : std::exp(random.normal());  // `fixed` has no other
    return {scale.centre(f), unit, *phi_, below_.data(), above_.data(), f, scale};
  }

 private:
  std::unique_ptr<Transform> phi_;
  std::vector<double> below_, above_;
};

TEST_P(EveryScore, SetsHoldEveryTargetOfTheirScoreAndGrow) {
  Random random(11);
  for (const auto& entry : transforms().entries())
    for (int repeat = 0; repeat < 2; ++repeat) {
      const RowScore own = score(entry.example, std::exp(3 * random.normal()), random);
      std::vector<double> y = all_sizes(random);
      // Some transformations square distances in units of `unit`, which must not overflow.
      const double largest = GetParam() == "as-is" ? 1e100 : GetParam() == "log" ? infinity : 1e290;
      std::erase_if(y, [&](double one) { return std::abs(one) > largest; });
      std::vector<std::pair<double, double>> by_score;
      for (const double one : y) by_score.emplace_back(own(one), one);
      std::sort(by_score.begin(), by_score.end());
      Interval before{infinity, -infinity};
      for (const auto& [q, one] : by_score) {
        const Interval set = own.at_most(q);
        ASSERT_TRUE(set.contains(one)) << entry.name << " " << one << " " << set.lower << " " << set.upper;
        const SignedScore t = own.signed_at(one);
        ASSERT_GE(own.highest_at(t), one) << entry.name;
        ASSERT_LE(own.lowest_at(t), one) << entry.name;
        if (GetParam() == "log" && std::isfinite(q)) {
          ASSERT_GT(set.lower, 0) << entry.name;
        }
        if (GetParam() == "root0" && std::isfinite(q)) {
          ASSERT_GE(set.lower, 0) << entry.name;
        }
        if (!before.empty()) {
          ASSERT_TRUE(set.lower <= before.lower && set.upper >= before.upper) << entry.name << " " << q;
        }
        before = set;
      }
      const Interval whole = own.at_most(infinity);
      EXPECT_EQ(whole.lower, -infinity) << entry.name;
      EXPECT_EQ(whole.upper, infinity) << entry.name;
    }
}

TEST_P(EveryScore, SignedScoresFollowTheOrderOfTargets) {
  Random random(12);
  for (const auto& entry : transforms().entries()) {
    const RowScore own = score(entry.example, 2, random);
    std::vector<double> y;
    for (int i = 0; i < 200; ++i) y.push_back(std::exp(2 * random.normal()));
    std::sort(y.begin(), y.end());
    for (std::size_t i = 1; i < y.size(); ++i) ASSERT_FALSE(own.signed_at(y[i]) < own.signed_at(y[i - 1])) << entry.name;
  }
}

TEST_P(EveryScore, MovesItsCentreOnItsScale) {
  Random random(13);
  const RowScore own = score("exp", 3, random), moved = own.moved_by(0.5);
  const ScoreScale scale = scale_named(GetParam());
  EXPECT_DOUBLE_EQ(moved.f(), scale.value(scale.forward(3) + 0.5));
  EXPECT_DOUBLE_EQ(moved.prediction(), moved.f());
  EXPECT_DOUBLE_EQ(own.error_at(5), scale.forward(5) - scale.forward(3));
  // A model that predicts 6 where this one predicts 3, with the same error on the scale of the score.
  const double other = scale.value(scale.forward(6) + scale.forward(5) - scale.forward(3));
  EXPECT_NEAR(own.signed_at_error(other, 6).score, own(5), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Scales, EveryScore, ::testing::ValuesIn(scales),
                         [](const auto& tested) { return tested.param == "as-is" ? "as_is" : tested.param; });

// Calibration rows with targets up to 0, which training rows never had. Each of n + 1 rows is in turn the new one, so coverage is
// counted exactly: k of n + 1, and all of them if the k-th smallest score is infinite.
TEST(ScoreScale, TargetsUpToZeroCountInCalibration) {
  const auto phi = transforms().make("exp");
  const ScoreScale scale("log", {});
  Random random(5);
  constexpr std::size_t n = 39;
  for (const std::size_t zeros : {0, 1, 3, 12}) {
    std::vector<double> g, f, y;
    for (std::size_t i = 0; i <= n; ++i) {
      g.push_back(0.5 * random.normal());
      f.push_back(std::exp(random.normal()));
      y.push_back(i < zeros ? (i % 2 == 0 ? 0 : -2.5) : f.back() * std::exp(random.normal()));
    }
    const auto score = [&](std::size_t i) { return RowScore{scale.centre(f[i]), 1, *phi, &g[i], &g[i], f[i], scale}; };
    for (const double level : {0.3, 0.5, 0.8, 0.9}) {
      const auto k = static_cast<std::size_t>(exact_rank(n, level));
      std::size_t covered = 0, above_lower = 0, below_upper = 0;
      for (std::size_t out = 0; out <= n; ++out) {
        std::vector<double> scores;
        std::vector<Side> sides;
        for (std::size_t i = 0; i <= n; ++i) {
          if (i == out) continue;
          scores.push_back(score(i)(y[i]));
          sides.push_back(score(i).signed_at(y[i]).side);
        }
        const ScoreDistribution distribution(scores, sides);
        const TargetRange any;
        const RowScore own = score(out);
        const PredictiveDistribution row(distribution, own, any);
        covered += row.interval(level).contains(y[out]) ? 1 : 0;
        above_lower += y[out] >= row.lower(level) ? 1 : 0;
        below_upper += y[out] <= row.upper(level) ? 1 : 0;
        EXPECT_TRUE(std::isfinite(row.crps(1))) << zeros;
        for (int i = 1; i < 20; ++i) EXPECT_GE(row.quantile(0.05 * i), i == 1 ? -infinity : row.quantile(0.05 * (i - 1)));
      }
      EXPECT_EQ(covered, k + zeros <= n + 1 ? k : n + 1) << zeros << " " << level;
      EXPECT_GE(above_lower, k) << zeros << " " << level;
      EXPECT_EQ(below_upper, std::max(k, zeros)) << zeros << " " << level;
    }
  }
}

// The learned scale: its shape, its inverse, its rounding, and that it never turns back.

struct ResidualRows {
  std::vector<double> f, y;
};

// The spread of y about f is `spread(f)`.
template <class Spread>
ResidualRows residual_rows(Index rows, Spread spread) {
  Random random(1);
  ResidualRows made;
  for (Index row = 0; row < rows; ++row) {
    made.f.push_back(random.uniform(-2, 10));
    made.y.push_back(made.f.back() + spread(made.f.back()) * random.normal());
  }
  return made;
}

LearnedScale growing_scale() {
  const auto rows = residual_rows(4000, [](double f) { return 0.3 + 0.1 * (f + 2); });
  return *LearnedScale::of(rows.f, rows.y);
}

TEST(LearnedScale, IsSteepWhereErrorsAreSmall) {
  const LearnedScale scale = growing_scale();
  const auto slope = [&](double v) { return (scale.forward(v + 0.1) - scale.forward(v - 0.1)) / 0.2; };
  for (const double v : {0.0, 3.0, 6.0, 9.0})
    EXPECT_NEAR(slope(v) / slope(4.0), (0.3 + 0.1 * 6) / (0.3 + 0.1 * (v + 2)), 0.15) << v;
  const auto same = residual_rows(4000, [](double) { return 2.0; });
  const LearnedScale flat = *LearnedScale::of(same.f, same.y);
  EXPECT_NEAR((flat.forward(9) - flat.forward(-1)) / 10, 1, 0.05);
}

TEST(LearnedScale, NeedsRowsThatDiffer) {
  const auto few = residual_rows(100, [](double) { return 1.0; });
  EXPECT_FALSE(LearnedScale::of(few.f, few.y));
  EXPECT_FALSE(LearnedScale::of(std::vector<double>(1000, 3.0), std::vector<double>(1000, 4.0)));
  const auto exact = residual_rows(1000, [](double) { return 0.0; });
  EXPECT_FALSE(LearnedScale::of(exact.f, exact.y));
}

TEST(LearnedScale, NeverTurnsBackAndIsInverted) {
  const LearnedScale scale = growing_scale();
  Random random(2);
  std::vector<double> numbers = scale.knots();
  for (const double knot : scale.knots())
    numbers.insert(numbers.end(), {std::nextafter(knot, -infinity), std::nextafter(knot, infinity)});
  for (int i = 0; i < 20'000; ++i) {
    numbers.push_back(random.uniform(-30, 30));
    numbers.push_back(std::nextafter(numbers.back(), infinity));
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    EXPECT_LE(scale.forward(numbers[i]), scale.forward(numbers[i + 1]));
    EXPECT_LE(scale.value(numbers[i]), scale.value(numbers[i + 1]));
    EXPECT_NEAR(scale.value(scale.forward(numbers[i])), numbers[i], 1e-12);
  }
}

TEST(LearnedScale, IntervalsKeepTheTargetThatSetThem) {
  const ScoreScale scale{growing_scale()};
  const auto phi = transforms().make("exp");
  Random random(3);
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    const double f = random.uniform(-5, 15), y = f + 3 * random.normal(), g = random.normal();
    const RowScore score{scale.centre(f), 1, *phi, &g, &g, f, scale};
    const Interval set = score.at_most(score(y));
    ASSERT_TRUE(set.contains(y)) << f << " " << y;
    const double other = set.lower == y ? set.upper : set.lower;
    EXPECT_LT(std::min(std::abs(set.lower - y), std::abs(set.upper - y)), 1e-9) << other;
  }
}

TEST(LearnedScale, IsKeptInFilesAndDamageIsNoticed) {
  Archive archive;
  const ScoreScale scale{growing_scale()};
  EXPECT_EQ(scale.name(), "learned");
  EXPECT_FALSE(scale.is_identity());
  scale.save(archive);
  const ScoreScale loaded = ScoreScale::load(archive);
  for (const double v : {-20.0, 0.1, 3.0, 50.0}) {
    EXPECT_EQ(scale.forward(v), loaded.forward(v));
    EXPECT_EQ(scale.highest(v), loaded.highest(v));
  }
  Archive damaged;
  scale.save(damaged);
  damaged.put("score_knots", std::vector<double>{2, 1});
  EXPECT_THROW(ScoreScale::load(damaged), Error);
}

// Near a centre of 0 an end gets an addition for doubles that share a distance; it must not pass the end of a higher centre.
TEST(EndsOfIntervals, NeverFallAsTheCentreRises) {
  for (const double reach : {1.0, 0.3, 7e-5}) {
    std::vector<double> centres;
    for (int k = 0; k < 200; ++k) centres.push_back(-1e-15 * reach + k * 1e-17 * reach);
    for (std::size_t i = 0; i + 1 < centres.size(); ++i) {
      EXPECT_LE(upper_end(centres[i], reach), upper_end(centres[i + 1], reach)) << centres[i];
      EXPECT_LE(lower_end(centres[i], reach), lower_end(centres[i + 1], reach)) << centres[i];
    }
  }
}

}  // namespace
}  // namespace taut
