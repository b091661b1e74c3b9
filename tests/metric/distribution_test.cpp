#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(Pinball, AgreesWithOtherPackages) {
  Matrix quantiles(2, 3);
  quantiles << .1, .5, .9, .2, .6, .8;
  EXPECT_NEAR(pinball(quantiles, std::vector<double>{.3, .4}, std::vector<double>{.1, .5, .9}), .17, 1e-15);
}

TEST(GaussianCrps, AgreesWithOtherPackages) {
  const double sum = gaussian_crps(1, .1, 1.5) + gaussian_crps(2, .5, 3) + gaussian_crps(3, 1, 2);
  EXPECT_NEAR(sum / 3, .59080610693, 1e-11);
  EXPECT_EQ(gaussian_crps(2, 0, 5), 3);
  EXPECT_THROW(gaussian_crps(0, -1, 0), Error);
}

TEST(StepCrps, AgreesWithOtherPackages) {
  EXPECT_NEAR(step_crps({10 - 3, 10, 10 + 6}, 10.4), 1.13333333333, 1e-10);
  EXPECT_NEAR(step_crps({10 - .5, 10, 10 + 1}, 10.4), .3, 1e-12);
  EXPECT_DOUBLE_EQ(step_crps({3}, 5), 2);
}

TEST(StepCrps, EqualsThePairSum) {
  Random random(3);
  std::vector<double> points;
  for (int i = 0; i < 50; ++i) points.push_back(1e6 + random.normal());
  const double y = 1e6 + 0.3;
  double distance = 0, pairs = 0;
  for (const double a : points) {
    distance += std::abs(a - y);
    for (const double b : points) pairs += std::abs(a - b);
  }
  EXPECT_NEAR(step_crps(points, y), distance / 50 - pairs / 5000, 1e-9);
}

}  // namespace
}  // namespace taut
