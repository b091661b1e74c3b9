#include <taut/calibrate/score_distribution.hpp>

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <tests/calibrate/many_rows.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace taut {
namespace {

constexpr double levels[] = {0.05, 0.3, 0.5, 0.55, 0.68, 0.8, 0.9, 0.95};
const TargetRange any_value;

void for_each_new_row(const ManyRows& rows, const std::function<void(const PredictiveDistribution&, double y)>& visit) {
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const ScoreDistribution distribution = rows.distribution_without(i);
    const RowScore score = rows.score(i);
    visit(PredictiveDistribution(distribution, score, any_value), rows.y[i]);
  }
}

class DistributionOfRanks : public ::testing::TestWithParam<std::string> {};

TEST_P(DistributionOfRanks, BoundsTailsAndIntervalsCoverExactlyTheirShareOfRows) {
  for (const Index n : {1, 4, 9, 19, 50})
    for (const double level : levels) {
      const ManyRows rows(GetParam(), n + 1, 3 + static_cast<std::uint64_t>(n), as_it_is);
      const Index k = exact_rank(n, level), tail = exact_rank(n, 0.5 + 0.5 * level);
      Index below_upper = 0, above_lower = 0, inside = 0, low_tail = 0, high_tail = 0;
      for_each_new_row(rows, [&](const PredictiveDistribution& distribution, double y) {
        below_upper += y <= distribution.upper(level) ? 1 : 0;
        above_lower += y >= distribution.lower(level) ? 1 : 0;
        inside += distribution.interval(level).contains(y) ? 1 : 0;
        const Interval equal = distribution.equal_tailed(level);
        low_tail += y >= equal.lower ? 1 : 0;
        high_tail += y <= equal.upper ? 1 : 0;
      });
      EXPECT_EQ(below_upper, k) << n << " " << level;
      EXPECT_EQ(above_lower, k) << n << " " << level;
      EXPECT_EQ(inside, k) << n << " " << level;
      EXPECT_EQ(low_tail, tail) << n << " " << level;
      EXPECT_EQ(high_tail, tail) << n << " " << level;
    }
}

// The smoothed p-value of each new row is uniform on an interval. Over all n + 1 rows these intervals cover [0, 1] evenly: for
// every a the probabilities of a p-value at or below a sum to (n + 1) a. This holds with ties and residuals of 0 too.
TEST_P(DistributionOfRanks, SmoothedPValuesAreUniformAlsoWithTies) {
  using Alternative = PredictiveDistribution::Alternative;
  for (const auto& rounded :
       {std::function<double(double)>(as_it_is), std::function<double(double)>([](double v) { return std::round(v); })}) {
    ManyRows rows(GetParam(), 40, 5, rounded);
    if (rounded(0.4) == 0)  // the same parameters everywhere, so that equal residuals are equal scores
      for (std::size_t i = 0; i < rows.y.size(); ++i) rows.below[i] = rows.above[i] = rows.below[0];
    for (const Alternative alternative : {Alternative::two_sided, Alternative::less, Alternative::greater})
      for (const double a : {0.01, 0.025, 0.1, 0.37, 0.5, 0.9}) {
        double sum = 0;
        for_each_new_row(rows, [&](const PredictiveDistribution& distribution, double y) {
          const double low = distribution.smoothed_p_value(y, 0, alternative), high = distribution.p_value(y, alternative);
          sum += std::clamp((a - low) / (high - low), 0.0, 1.0);
        });
        EXPECT_NEAR(sum, a * 40, 1e-12) << a;
      }
  }
}

TEST_P(DistributionOfRanks, AnswersAreOrderedAndAgreeWithOneAnother) {
  const ManyRows rows(GetParam(), 60, 8, as_it_is);
  const double step = 1.0 / 60;
  for_each_new_row(rows, [&](const PredictiveDistribution& distribution, double) {
    double before = -infinity;
    for (int i = 1; i < 100; ++i) {
      const double p = i / 100.0, q = distribution.quantile(p);
      EXPECT_GE(q, before) << p;
      before = q;
      if (std::isinf(q)) continue;
      // Where the distribution has an atom, as `shift` has at f, probabilities jump over p.
      EXPECT_LE(distribution.below(std::nextafter(q, -infinity)).low, p + step + 1e-12) << p;
      EXPECT_GE(distribution.below(q).high, p - step - 1e-12) << p;
    }
    PredictiveDistribution::Probability last{0, 0, 0};
    for (double v = -12; v < 12; v += 0.1) {
      const auto probability = distribution.below(v);
      EXPECT_GE(probability.low, last.low);
      EXPECT_NEAR(probability.high - probability.low, step, 1e-15);
      last = probability;
    }
    for (const double level : {0.6, 0.8, 0.9}) {
      const Interval equal = distribution.equal_tailed(level);
      EXPECT_EQ(equal.lower, distribution.lower(0.5 + level / 2));
      EXPECT_EQ(equal.upper, distribution.upper(0.5 + level / 2));
    }
  });
}

std::vector<std::string> all_transforms() {
  std::vector<std::string> names;
  for (const auto& entry : transforms().entries()) names.push_back(entry.example);
  for (const char* scale : {" root", " log"})
    for (const auto& entry : transforms().entries()) names.push_back(entry.example + scale);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Transforms, DistributionOfRanks, ::testing::ValuesIn(all_transforms()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(ScoreDistribution, SignedScoresFollowTheOrderOfY) {
  const ManyRows rows("exp", 200, 2, as_it_is);
  const RowScore score = rows.score(0);
  std::vector<double> y = rows.y;
  std::sort(y.begin(), y.end());
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_TRUE(score.signed_at(y[i - 1]) < score.signed_at(y[i])) << y[i];
  EXPECT_TRUE((SignedScore{Side::below, -infinity} < SignedScore{Side::above, -infinity}));
}

TEST(ScoreDistribution, TooFewRowsGiveInfinityNeverANumber) {
  const ScoreDistribution distribution({1, 2, 3, 4}, {Side::below, Side::above, Side::above, Side::below});
  EXPECT_EQ(distribution.quantile(0.9), infinity);
  EXPECT_EQ(distribution.upper(0.9), std::nullopt);
  EXPECT_EQ(distribution.lower(0.9), std::nullopt);
  const auto phi = transforms().make("fixed");
  const RowScore score{10, 1, *phi, nullptr, nullptr};
  const PredictiveDistribution row(distribution, score, any_value);
  EXPECT_EQ(row.upper(0.9), infinity);
  EXPECT_EQ(row.lower(0.9), -infinity);
  EXPECT_EQ(row.quantile(0.1), -infinity);
  EXPECT_EQ(row.quantile(0.95), infinity);
}

// Values of other packages: signed scores −4, −1, 2, 3 around 10.
TEST(ScoreDistribution, AnswersOfOneRowByHand) {
  const ScoreDistribution distribution({1, 2, 3, 4}, {Side::below, Side::above, Side::above, Side::below});
  const auto phi = transforms().make("fixed");
  const RowScore score{10, 1, *phi, nullptr, nullptr};
  const PredictiveDistribution row(distribution, score, any_value);
  EXPECT_EQ(row.upper(0.6), 12);  // rank 3 of 6, 9, 12, 13
  EXPECT_EQ(row.upper(0.8), 13);
  EXPECT_EQ(row.lower(0.6), 9);
  EXPECT_EQ(row.lower(0.8), 6);
  EXPECT_EQ(row.quantile(0.2), 6);
  EXPECT_EQ(row.quantile(0.5), 10.5);
  EXPECT_EQ(row.below(11).low, 2.0 / 5);
  EXPECT_EQ(row.below(11).high, 3.0 / 5);
  EXPECT_EQ(row.below(12).low, 3.0 / 5);
  EXPECT_EQ(row.p_value(13), 3.0 / 5);  // of |t| = 1, 2, 3, 4 two are at least 3, and the row itself
  EXPECT_EQ(row.p_value(10), 1);
  EXPECT_EQ(row.mean(), 10);
}

// Sums of 200 weights of 1e306 overflow, and weights of 1e-310 lose digits. Answers must equal those of weights of ordinary size.
TEST(ScoreDistribution, HugeAndTinyWeightsAreScaled) {
  Random random(8);
  std::vector<double> scores, weights;
  std::vector<Side> sides;
  for (int i = 0; i < 200; ++i) {
    scores.push_back(random.normal());
    sides.push_back(random.uniform() < 0.5 ? Side::below : Side::above);
    weights.push_back(random.uniform(0.5, 1.5));
  }
  const auto phi = transforms().make("fixed");
  const RowScore score{0, 1, *phi, nullptr, nullptr};
  const ScoreDistribution usual(scores, sides, weights, 1.25);
  for (const int exponent : {1020, 1000, 60, -60, -1015}) {
    std::vector<double> scaled;
    for (const double weight : weights) scaled.push_back(std::ldexp(weight, exponent));
    const ScoreDistribution distribution(scores, sides, scaled, std::ldexp(1.25, exponent));
    double before = -infinity;
    for (const double level : levels) {
      EXPECT_EQ(distribution.quantile(level), usual.quantile(level)) << exponent;
      EXPECT_EQ(distribution.smoothed_quantile(level, 0.3), usual.smoothed_quantile(level, 0.3)) << exponent;
      EXPECT_EQ(distribution.upper(level), usual.upper(level)) << exponent;
      EXPECT_EQ(distribution.lower(level), usual.lower(level)) << exponent;
      EXPECT_EQ(distribution.delivered(level), usual.delivered(level)) << exponent;
      EXPECT_GE(distribution.quantile(level), before) << exponent;
      before = distribution.quantile(level);
    }
    const PredictiveDistribution of_distribution(distribution, score, any_value), of_usual(usual, score, any_value);
    for (const double y : {-1.0, 0.2, 3.0}) {
      EXPECT_EQ(of_distribution.p_value(y), of_usual.p_value(y)) << exponent;
      EXPECT_EQ(of_distribution.below(y).value, of_usual.below(y).value) << exponent;
      EXPECT_NEAR(of_distribution.crps(y), of_usual.crps(y), 1e-12) << exponent;
    }
    EXPECT_EQ(of_distribution.mean(), of_usual.mean()) << exponent;
    EXPECT_EQ(of_distribution.sample(0.4), of_usual.sample(0.4)) << exponent;
  }
  // If the new row outweighs all others by far, its score may be anywhere; with a negligible weight it is among them.
  std::vector<double> tiny(weights.size(), 1e-300), huge(weights.size(), 1e306);
  EXPECT_EQ(ScoreDistribution(scores, sides, tiny, 1e308).quantile(0.5), infinity);
  EXPECT_EQ(ScoreDistribution(scores, sides, huge, 1e-300).quantile(0.5),
            ScoreDistribution(scores, sides, std::vector<double>(200, 1), 0).quantile(0.5));
  EXPECT_EQ(ScoreDistribution(scores, sides, huge, 1e306).quantile(0.9), ScoreDistribution(scores, sides).quantile(0.9));
}

// Each of n + 1 rows in turn is the new one. With random ranks among equal scores its coverage is exact, with and without ties.
TEST(ScoreDistribution, SmoothedMembershipIsExactWithTies) {
  Random random(9);
  for (const Index kinds : {1, 2, 5, 1000}) {
    std::vector<double> all;
    for (int i = 0; i < 12; ++i) all.push_back(static_cast<double>(random.below(kinds)));
    for (const double level : levels) {
      double held = 0;
      constexpr int places = 2000;
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<double> others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const ScoreDistribution distribution(others);
        bool before = false;
        for (int u = 0; u < places; ++u) {
          const double uniform = (u + 0.5) / places;
          const bool holds = distribution.holds_smoothed(all[i], level, uniform);
          held += holds ? 1 : 0;
          EXPECT_TRUE(holds || !before);  // covered for all larger random numbers too
          before = holds;
          if (kinds == 1000 && std::count(all.begin(), all.end(), all[i]) == 1) {
            const auto q = distribution.smoothed_quantile(level, uniform);
            EXPECT_EQ(holds, q && all[i] <= *q);
          }
        }
      }
      EXPECT_NEAR(held / (places * 12.0), level, 2.0 / places) << kinds;
    }
  }
}

// A faulty formula in other packages gives 2.7333 and .1778 here.
TEST(ScoreDistribution, CrpsOfAnEmpiricalDistribution) {
  const auto phi = transforms().make("exp");
  const ScoreDistribution distribution({std::log(1.0), -infinity, std::log(2.0)}, {Side::below, Side::above, Side::above});
  for (const auto& [scale, expected] : {std::pair{3.0, 1.0 + 2.0 / 15}, {0.5, 0.3}}) {
    double g = 0;
    phi->params_of_log_scale(std::log(scale), &g);
    const RowScore score{10, 1, *phi, &g, &g};
    EXPECT_NEAR(PredictiveDistribution(distribution, score, any_value).crps(10.4), expected, 1e-12);
  }
}

// For ten thousand heavy-tailed scores, a thousand values give nearly the exact CRPS. With as many values as scores, or with
// weights, no score is left out.
TEST(ScoreDistribution, CrpsFromSomeValues) {
  const auto phi = transforms().make("exp");
  Random random(4);
  std::vector<double> scores, weights;
  std::vector<Side> sides;
  for (int i = 0; i < 10'000; ++i) {
    scores.push_back(1.5 * random.normal());
    sides.push_back(random.uniform() < 0.3 ? Side::below : Side::above);
    weights.push_back(random.uniform());
  }
  double g = 0;
  phi->params_of_log_scale(0, &g);
  const RowScore score{10, 1, *phi, &g, &g};
  const ScoreDistribution distribution(scores, sides), weighted(scores, sides, weights, 0);
  const PredictiveDistribution row(distribution, score, any_value), of_weighted(weighted, score, any_value);
  for (const double y : {2.0, 9.9, 10.0, 11.0, 60.0}) {
    EXPECT_NE(row.crps_from(1000, y), row.crps(y));
    EXPECT_NEAR(row.crps_from(1000, y), row.crps(y), 2e-3 * row.crps(y));
    EXPECT_EQ(row.crps_from(10'000, y), row.crps(y));
    EXPECT_EQ(of_weighted.crps_from(1000, y), of_weighted.crps(y));
  }
}

TEST(ScoreDistribution, WeightedQuantilesAgreeWithOtherPackages) {
  EXPECT_EQ(ScoreDistribution({1, 2, 3, 4}, {}, {1, 1, 1, 1}, 0).quantile(0.5), 2);
  EXPECT_EQ(ScoreDistribution({1, 2, 3, 4}, {}, {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, 0).quantile(0.5), 1);
  EXPECT_EQ(ScoreDistribution({1, 2}, {}, {1, 1}, 8).quantile(0.5), infinity);
}

// Equal weights of any size give the exact ranks.
TEST(ScoreDistribution, EqualWeightsAreRanks) {
  Random random(4);
  for (const Index n : {1, 9, 19, 74, 99}) {
    std::vector<double> scores, equal(static_cast<std::size_t>(n), 0.1);
    std::vector<Side> sides;
    for (Index i = 0; i < n; ++i) {
      scores.push_back(random.normal());
      sides.push_back(random.uniform() < 0.5 ? Side::below : Side::above);
    }
    const ScoreDistribution plain(scores, sides), weighted(scores, sides, equal, 0.1);
    for (int i = 1; i < 200; ++i) {
      const double level = i / 200.0;
      EXPECT_EQ(plain.quantile(level), weighted.quantile(level)) << n << " " << level;
      EXPECT_EQ(plain.upper(level), weighted.upper(level)) << n << " " << level;
      EXPECT_EQ(plain.lower(level), weighted.lower(level)) << n << " " << level;
    }
  }
}

TEST(ScoreDistribution, ReadsBackWithItsSidesAndWithoutThoseOfOldFiles) {
  const ScoreDistribution distribution({3, 1, 2, 2}, {Side::below, Side::above, Side::above, Side::below});
  Archive archive;
  distribution.save(archive);
  const ScoreDistribution back = ScoreDistribution::load(archive);
  EXPECT_EQ(back.scores(), distribution.scores());
  for (Index k = 1; k <= 4; ++k) EXPECT_EQ(back.signed_score(k), distribution.signed_score(k));
  Archive old;
  old.put("scores", std::vector<double>{1, 2, 3});
  EXPECT_EQ(ScoreDistribution::load(old).quantile(0.5), 2);
  EXPECT_THROW((void)ScoreDistribution::load(old).upper(0.5), Error);
}

TEST(ScoreDistribution, RefusesNonsense) {
  EXPECT_THROW(ScoreDistribution({missing}), Error);
  EXPECT_THROW(ScoreDistribution({1, 2}, {}, {1, -1}), Error);
  EXPECT_THROW(ScoreDistribution({1, 2}, {}, {1, infinity}), Error);
  EXPECT_THROW(ScoreDistribution({1, 2}, {}, {1, 1}, missing), Error);
  EXPECT_THROW((void)ScoreDistribution({1, 2}).quantile(1), UsageError);
}

}  // namespace
}  // namespace taut
