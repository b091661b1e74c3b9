#include <taut/transform/numeric.hpp>

#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

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
    Counted square, log, steep;
    const double root =
        square.root([](double a) { return std::sqrt(a); }, [](double a) { return 0.5 / std::sqrt(a); }, std::sqrt(expected));
    EXPECT_NEAR(root / expected, 1, 1e-12) << expected;
    EXPECT_NEAR(log.root([](double a) { return std::log(a); }, [](double a) { return 1 / a; }, std::log(expected)) / expected, 1,
                2e-12 + 2e-16 * std::abs(std::log(expected)) * 700);
    // A function with a kink where Newton's method overshoots.
    const auto kinked = [&](double a) { return a < expected ? a / expected : 1 + 1e3 * (a / expected - 1); };
    const auto kinked_slope = [&](double a) { return a < expected ? 1 / expected : 1e3 / expected; };
    EXPECT_NEAR(steep.root(kinked, kinked_slope, 1.0) / expected, 1, 1e-12) << expected;
    for (const auto& counted : {square, log, steep}) EXPECT_LE(counted.evaluations, 60);
  }
}

// Classes without a closed-form inverse, at every magnitude of doubles.
TEST(Root, InvertsEveryMixture) {
  for (const char* name : {"mixture:exp,sigma", "mixture:linear*3", "mixture:linear,exp", "mixture:erc,linear",
                           "mixture:spline,exp", "mixture:fixed,sigma*2"}) {
    const auto phi = transforms().make(name);
    std::vector<double> g(static_cast<std::size_t>(phi->n_params()));
    phi->initial(g.data());
    for (const double a : {1e-300, 1e-100, 1e-9, 0.3, 1.0, 7.0, 1e9, 1e100, 1e300}) {
      Counted counted;
      const double b = phi->value(a, g.data());
      const double root = counted.root([&](double at) { return phi->value(at, g.data()); },
                                       [&](double at) { return phi->slope(at, g.data()); }, b);
      const double lost = 4e-16 * std::abs(b) / (a * phi->slope(a, g.data()));  // the effect of rounding b itself
      EXPECT_NEAR(root / a, 1, 1e-12 + 4 * lost) << name << " " << a;
      EXPECT_LE(counted.evaluations, 60) << name << " " << a;
    }
    EXPECT_EQ(phi->half_width(infinity, g.data()), infinity) << name;
    EXPECT_LT(phi->half_width(phi->conformity(0, g.data()), g.data()), 1e-6) << name;
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
