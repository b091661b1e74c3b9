// The noise of the synthetic sets follows their distribution functions.
#include <taut/data/synthetic.hpp>

#include <tests/support/goodness_of_fit.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

class SyntheticDistribution : public ::testing::TestWithParam<Listed<SyntheticSet>> {};

TEST_P(SyntheticDistribution, NoiseFollowsItsDistributionFunction) {
  const auto set = synthetic_sets().make(GetParam().name);
  for (const double x : {-0.99, -0.3, 0.2, 0.9}) {
    Random random(5);
    std::vector<double> uniform;
    for (int i = 0; i < 20000; ++i) uniform.push_back(set->cdf(x, set->noise(x, random)));
    EXPECT_GT(testing::uniform_fit_p_value(uniform), 1e-5) << x;
    for (double& value : uniform) value = 0.5 + 0.96 * (value - 0.5);
    EXPECT_LT(testing::uniform_fit_p_value(uniform), 1e-5) << "a distribution that is 4 % too narrow would pass";
  }
}

INSTANTIATE_TEST_SUITE_P(All, SyntheticDistribution, ::testing::ValuesIn(synthetic_sets().entries()),
                         [](const auto& tested) { return tested.param.name; });

// Only the shape of the noise of `shape` depends on x: the mean of |noise| is 1 everywhere.
TEST(SyntheticShape, HasOneMeanSize) {
  const auto set = synthetic_sets().make("shape");
  for (const double x : {-1.0, -0.5, 0.3, 1.0}) {
    double mean = 0;
    constexpr double step = 1e-3;
    for (double r = step / 2; r < 40; r += step) mean += step * (1 - set->cdf(x, r) + set->cdf(x, -r));  // E|e| = ∫ P(|e| > r)
    EXPECT_NEAR(mean, 1, 1e-5) << x;
  }
}

}  // namespace
}  // namespace taut
