#include <taut/transform/root.hpp>

#include <taut/core/types.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Counted {
  int evaluations = 0;
  double root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target) {
    return increasing_root(
        [&](double a) {
          ++evaluations;
          return value(a);
        },
        slope, target);
  }
};

TEST(Root, EveryMagnitudeToTwelveDigitsInSixtyEvaluations) {
  for (const double expected : {1e-300, 1e-100, 1e-9, 0.3, 1.0, 7.0, 1e9, 1e100, 1e300}) {
    Counted square, log, steep, flat;
    const double root =
        square.root([](double a) { return std::sqrt(a); }, [](double a) { return 0.5 / std::sqrt(a); }, std::sqrt(expected));
    EXPECT_NEAR(root / expected, 1, 1e-12) << expected;
    EXPECT_NEAR(log.root([](double a) { return std::log(a); }, [](double a) { return 1 / a; }, std::log(expected)) / expected, 1,
                2e-12 + 2e-16 * std::abs(std::log(expected)) * 700);
    // A kinked function that Newton overshoots on.
    const auto kinked = [&](double a) { return a < expected ? a / expected : 1 + 1e3 * (a / expected - 1); };
    const auto kinked_slope = [&](double a) { return a < expected ? 1 / expected : 1e3 / expected; };
    EXPECT_NEAR(steep.root(kinked, kinked_slope, 1.0) / expected, 1, 1e-12) << expected;
    for (const auto& counted : {square, log, steep}) EXPECT_LE(counted.evaluations, 60);
  }
}

TEST(Root, EndsOfTheLine) {
  const auto value = [](double a) { return a / (1 + a); };
  const auto slope = [](double a) { return 1 / ((1 + a) * (1 + a)); };
  EXPECT_EQ(increasing_root(value, slope, -0.5), 0);
  EXPECT_EQ(increasing_root(value, slope, 1.5), infinity);
}

}  // namespace
}  // namespace taut
