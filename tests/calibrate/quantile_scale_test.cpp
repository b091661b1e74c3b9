// The scale of log-odds of a given distribution: exact edges, strictly increasing where quantiles are equal, any numbers.
#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

double log_odds(double p) { return std::log(p / (1 - p)); }

const std::vector<std::vector<double>> all_quantiles = {
    {-1, 0, 2, 5},
    {3, 3, 3, 3},
    {0, 0, 0, 0},
    {0, 0, 1, 1},
    {-1e300, -1, 1, 1e300},
    {1e15, 1e15, 1e15 + 2, 1e15 + 4},
    {-1e-300, 0, 0, 1e-300},
    {-1.7e308, 0, 0, 1.7e308},
};
const QuantileLevels levels({0.1, 0.4, 0.5, 0.9});

TEST(QuantileScale, PassesThroughTheQuantilesAndGoesOnAsLines) {
  const std::vector<double> quantiles = {-1, 0, 2, 5};
  const QuantileScale scale(quantiles, levels.log_odds(), 1e-12);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(scale.forward(quantiles[k]), log_odds(levels.levels()[k]), 1e-9);
    EXPECT_NEAR(scale.value(log_odds(levels.levels()[k])), quantiles[k], 1e-9);
  }
  // Above 0.9 the last segment has 3 / log_odds(0.9) per unit of l, more than half of its mean from the median on, which is the
  // same.
  const double above = 3 / log_odds(0.9), below = 1 / (log_odds(0.4) - log_odds(0.1));
  EXPECT_NEAR(scale.forward(5 + above), log_odds(0.9) + 1, 1e-9);
  // Below 0.1 the first segment has less than half of the mean from the median on.
  const double mean = 3 / (0 - log_odds(0.1));
  EXPECT_NEAR(scale.forward(-1 - std::max(below, mean / 2)), log_odds(0.1) - 1, 1e-9);
  EXPECT_EQ(scale.forward(infinity), infinity);
  EXPECT_EQ(scale.highest(-infinity), -infinity);
}

// An interval's end must hold every y of its scores, and none beyond.
TEST(QuantileScale, EdgesAreExact) {
  Random random(1);
  for (const auto& quantiles : all_quantiles)
    for (const double slope : {0.0, 1e-3}) {
      const QuantileScale scale(quantiles, levels.log_odds(), slope);
      for (int i = 0; i < 200; ++i) {
        const double z =
            i < 4 ? levels.log_odds()[static_cast<std::size_t>(i)] : random.normal() * std::pow(10, random.uniform(-3, 2));
        const double high = scale.highest(z), low = scale.lowest(z);
        ASSERT_TRUE(std::isfinite(high) && std::isfinite(low)) << z;
        const bool is_last = high == std::numeric_limits<double>::max() || high == std::numeric_limits<double>::lowest();
        if (!is_last) {
          ASSERT_LE(scale.forward(high), z);
          ASSERT_GT(scale.forward(std::nextafter(high, infinity)), z);
        }
        const bool is_first = low == std::numeric_limits<double>::max() || low == std::numeric_limits<double>::lowest();
        if (!is_first) {
          ASSERT_GE(scale.forward(low), z);
          ASSERT_LT(scale.forward(std::nextafter(low, -infinity)), z);
        }
      }
    }
}

TEST(QuantileScale, NeverFalls) {
  Random random(2);
  for (const auto& quantiles : all_quantiles) {
    const QuantileScale scale(quantiles, levels.log_odds(), 0);
    std::vector<double> y = quantiles;
    for (int i = 0; i < 300; ++i) {
      const double near = quantiles[random.below(4)];
      y.push_back(near + random.normal() * std::pow(10, random.uniform(-18, 3)) * std::max(1.0, std::abs(near)));
      y.push_back(std::nextafter(near, random.below(2) == 0 ? infinity : -infinity));
    }
    std::erase_if(y, [](double one) { return !std::isfinite(one); });
    std::sort(y.begin(), y.end());
    for (std::size_t i = 1; i < y.size(); ++i) ASSERT_LE(scale.forward(y[i - 1]), scale.forward(y[i])) << y[i];
    std::vector<double> z;
    for (int i = 0; i < 300; ++i) z.push_back(random.normal() * std::pow(10, random.uniform(-3, 2)));
    std::sort(z.begin(), z.end());
    for (std::size_t i = 1; i < z.size(); ++i) {
      ASSERT_LE(scale.highest(z[i - 1]), scale.highest(z[i]));
      ASSERT_LE(scale.lowest(z[i - 1]), scale.lowest(z[i]));
    }
  }
}

TEST(QuantileScale, EqualQuantilesAreAnAtomInTheMiddleOfTheirLevels) {
  const std::vector<double> all_equal = {3, 3, 3, 3}, two_equal = {-1, 0, 0, 5};
  const QuantileScale scale(all_equal, levels.log_odds(), 0.5), other(two_equal, levels.log_odds(), 0.5);
  EXPECT_NEAR(scale.forward(3), log_odds((0.1 + 0.9) / 2), 1e-12);
  EXPECT_LT(scale.forward(2.9), log_odds(0.1));
  EXPECT_GT(scale.forward(3.1), log_odds(0.9));
  EXPECT_NEAR(other.forward(0), log_odds(0.45), 1e-12);
  EXPECT_NEAR(other.forward(-1e-9), log_odds(0.4), 1e-6);
  EXPECT_NEAR(other.forward(1e-9), log_odds(0.5), 1e-6);
  EXPECT_EQ(other.value(log_odds(0.42)), 0);
}

TEST(QuantileLevels, QuantilesBetweenAndBeyondLevelsAreLinearInLogOdds) {
  const std::vector<double> quantiles = {-1, 0, 2, 5};
  EXPECT_EQ(levels.quantile(quantiles, 0.5), 2);
  EXPECT_NEAR(levels.quantile(quantiles, 0.7), 2 + 3 * log_odds(0.7) / log_odds(0.9), 1e-12);
  EXPECT_NEAR(levels.quantile(quantiles, 0.99), 2 + 3 * log_odds(0.99) / log_odds(0.9), 1e-12);
  EXPECT_LT(levels.quantile(quantiles, 0.01), -1);
  EXPECT_THROW(QuantileLevels({0.5}), UsageError);
  EXPECT_THROW(QuantileLevels({0.5, 0.5}), UsageError);
  EXPECT_THROW(QuantileLevels({0.5, 1}), UsageError);
  EXPECT_THROW(QuantileLevels({0.5, missing}), UsageError);
}

TEST(QuantileLevels, SamplesReachAsFarAsTheirNumberAllows) {
  EXPECT_EQ(levels_of_samples(5).front(), 0.2);
  EXPECT_EQ(levels_of_samples(5).back(), 0.8);
  EXPECT_EQ(levels_of_samples(99).front(), 0.01);
  const std::vector<double> samples = {1, 2, 4, 8};
  EXPECT_EQ(quantile_of_samples(samples, 0.2), 1);
  EXPECT_EQ(quantile_of_samples(samples, 0.5), 3);
  EXPECT_EQ(quantile_of_samples(samples, 0.8), 8);
}

TEST(RowPredictions, SortCrossedQuantilesAndCountTheirRows) {
  Matrix quantiles(3, 3);
  quantiles << 1, 2, 3, 2, 1, 3, 5, 5, 5;
  const RowPredictions all(std::make_shared<const QuantileLevels>(std::vector{0.1, 0.5, 0.9}), quantiles);
  EXPECT_EQ(all.crossed(), 1);
  EXPECT_EQ(all.f(), (std::vector<double>{2, 2, 5}));
  const RowPrediction second = all[1];
  EXPECT_EQ(std::vector<double>(second.quantiles.begin(), second.quantiles.end()), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(second.lower, 1);
  EXPECT_EQ(second.upper, 3);
  const Rows rows = {2, 0};
  EXPECT_EQ(all.at(rows).f(), (std::vector<double>{5, 2}));
}

}  // namespace
}  // namespace taut
