// The contract of every listed transformation: a class is tested by being in the list.
#include <taut/transform/transform.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <tests/support/derivative.hpp>

#include <gtest/gtest.h>

#include <array>

namespace taut {
namespace {

using testing::agree;
using testing::difference;

class TransformContract : public ::testing::TestWithParam<Listed<Transform>> {
 protected:
  std::unique_ptr<Transform> phi = transforms().make(GetParam().example);

  // Parameters as training might give them: near the start, and far from it.
  std::vector<std::vector<double>> parameter_sets() const {
    std::vector<std::vector<double>> sets;
    Random random(7);
    for (const double spread : {0.0, 0.3, 1.0, 3.0}) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        std::vector<double> g(static_cast<std::size_t>(phi->n_params()));
        phi->initial(g.data());
        for (double& value : g) value += spread * random.normal();
        sets.push_back(g);
      }
    }
    return sets;
  }
};

constexpr std::array scores_to_try = {1e-6, 1e-3, 0.1, 0.7, 1.0, 2.5, 30.0, 1e4};

TEST_P(TransformContract, IncreasesStrictlyWithTheScore) {
  for (const auto& g : parameter_sets())
    for (std::size_t i = 1; i < scores_to_try.size(); ++i)
      EXPECT_LT(phi->conformity(std::sqrt(scores_to_try[i - 1]), g.data()),
                phi->conformity(std::sqrt(scores_to_try[i]), g.data()));
}

// If a class describes itself, the described half-width is at least that of the class, and hardly larger.
TEST_P(TransformContract, DescribesItsHalfWidth) {
  const auto described = phi->describe();
  if (!described) return;
  for (const auto& g : parameter_sets())
    for (const double a : scores_to_try) {
      const double q = phi->conformity(std::sqrt(a), g.data()), wanted = phi->half_width(q, g.data());
      double found = 0;
      if (const auto* scale = std::get_if<DescribedScale>(&*described)) {
        const double u = scale->factor * g[0];
        EXPECT_EQ(phi->log_scale(g.data()), u);
        EXPECT_NEAR(scale->back * u, g[0], 1e-14 * std::abs(g[0]));
        found = std::exp(q + u) * (1 + 4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(q) + std::abs(u)));
      } else {
        found = std::get<DescribedWidth>(*described).half_width(q).value(g);
      }
      EXPECT_GE(found, wanted) << a;
      EXPECT_LE(found, wanted + 1e-9 * std::abs(wanted)) << a;
    }
}

TEST_P(TransformContract, SlopeIsTheDerivativeByTheScore) {
  for (const auto& g : parameter_sets())
    for (const double a : {0.05, 0.7, 1.0, 2.5, 9.0}) {
      const double numerical = difference([&](double at) { return phi->value(at, g.data()); }, a);
      EXPECT_TRUE(agree(phi->slope(a, g.data()), numerical)) << a << ": " << phi->slope(a, g.data()) << " " << numerical;
      EXPECT_GT(phi->slope(a, g.data()), 0);
    }
}

TEST_P(TransformContract, GradientIsTheDerivativeByTheParameters) {
  std::vector<double> gradient(static_cast<std::size_t>(phi->n_params()));
  for (auto g : parameter_sets())
    for (const double a : {0.05, 0.7, 1.0, 2.5, 9.0}) {
      phi->grad(a, g.data(), gradient.data());
      for (std::size_t p = 0; p < g.size(); ++p) {
        const double kept = g[p];
        const auto along = [&](double at) {
          g[p] = at;
          return phi->value(a, g.data());
        };
        const double numerical = difference(along, kept);
        g[p] = kept;
        EXPECT_TRUE(agree(gradient[p], numerical, 1e-5)) << a << " " << kept << ": " << gradient[p] << " " << numerical;
      }
    }
}

TEST_P(TransformContract, LogSlopeGradientIsTheDerivativeOfTheLogSlope) {
  std::vector<double> gradient(static_cast<std::size_t>(phi->n_params()));
  for (auto g : parameter_sets())
    for (const double a : {0.05, 0.7, 1.0, 2.5, 9.0}) {
      phi->log_slope_grad(a, g.data(), gradient.data());
      for (std::size_t p = 0; p < g.size(); ++p) {
        const double kept = g[p];
        const auto along = [&](double at) {
          g[p] = at;
          return std::log(phi->slope(a, g.data()));
        };
        const double numerical = difference(along, kept);
        g[p] = kept;
        EXPECT_NEAR(gradient[p], numerical, 1e-5 * std::max(1e-2, std::abs(numerical))) << a << " " << p;
      }
    }
}

TEST_P(TransformContract, DensityIsAllOfThemAtOnce) {
  std::vector<double> value_grad(static_cast<std::size_t>(phi->n_params())), slope_grad(value_grad), expected(value_grad);
  for (const auto& g : parameter_sets())
    for (const double a : {0.05, 1.0, 9.0}) {
      for (double* wanted : {value_grad.data(), static_cast<double*>(nullptr)}) {
        const auto density = phi->density(a, g.data(), wanted, wanted == nullptr ? nullptr : slope_grad.data());
        EXPECT_EQ(density.value, phi->value(a, g.data()));
        EXPECT_NEAR(density.log_slope, std::log(a * phi->slope(a, g.data())), 1e-12);
      }
      phi->grad(a, g.data(), expected.data());
      EXPECT_EQ(value_grad, expected);
      phi->log_slope_grad(a, g.data(), expected.data());
      EXPECT_EQ(slope_grad, expected);
    }
}

TEST_P(TransformContract, InverseUndoesTheValue) {
  for (const auto& g : parameter_sets())
    for (const double a : {1e-3, 0.7, 1.0, 2.5, 30.0}) {
      const double b = phi->value(a, g.data());
      if (b >= phi->codomain(g.data()).high) continue;  // saturated: the formula cannot tell such scores apart
      const double back = phi->inverse(b, g.data());
      // A rounding error of b moves a by that error over the slope.
      const double lost = 4e-16 * std::abs(b) / phi->slope(a, g.data());
      EXPECT_NEAR(back, a, 1e-12 * a + 4 * lost);
    }
}

TEST_P(TransformContract, InverseIsGeneralisedBeyondTheCodomain) {
  for (const auto& g : parameter_sets()) {
    const Codomain range = phi->codomain(g.data());
    if (range.low > -infinity) {
      EXPECT_LT(phi->inverse(range.low - 1e-3 * (1 + std::abs(range.low)), g.data()), 0);
    }
    if (range.high < infinity) {
      EXPECT_EQ(phi->inverse(range.high, g.data()), infinity);
    }
  }
}

// A closed interval contains the residual that set its quantile, however intermediate results are rounded, and hardly more.
TEST_P(TransformContract, HalfWidthKeepsTheResidualThatSetIt) {
  Random random(3);
  for (const auto& g : parameter_sets())
    for (int repeat = 0; repeat < 300; ++repeat) {
      const double r = std::exp(random.uniform(-20, 20));
      const double back = phi->half_width(phi->conformity(r, g.data()), g.data());
      EXPECT_GE(back, r);
      EXPECT_LE(back, r * (1 + 1e-9) + 1e-6);  // a residual far below the size of g loses its digits
    }
}

TEST_P(TransformContract, ZeroAndInfinityFlowThrough) {
  for (const auto& g : parameter_sets()) {
    const double at_zero = phi->conformity(0, g.data());
    EXPECT_FALSE(std::isnan(at_zero));
    EXPECT_LT(at_zero, phi->conformity(1e-6, g.data()));
    EXPECT_GE(phi->half_width(at_zero, g.data()), 0);
    EXPECT_LE(phi->half_width(at_zero, g.data()), 1e-6);
    EXPECT_EQ(phi->conformity(infinity, g.data()), infinity);
    EXPECT_EQ(phi->half_width(infinity, g.data()), infinity);
  }
}

TEST_P(TransformContract, ScaleFamiliesKeepTheirScale) {
  if (!phi->is_scale() || phi->n_params() == 0) return;
  std::vector<double> slope(1), back(1);
  for (const auto& g : parameter_sets()) {
    const double u = phi->log_scale(g.data());
    for (const double r : {0.1, 1.0, 7.0}) EXPECT_NEAR(phi->conformity(r, g.data()), std::log(r) - u, 1e-12);
    phi->log_scale_grad(g.data(), slope.data());
    const auto along = [&](double at) { return phi->log_scale(&at); };
    EXPECT_TRUE(agree(slope[0], difference(along, g[0]), 1e-5));
    phi->params_of_log_scale(u, back.data());
    EXPECT_NEAR(phi->log_scale(back.data()), u, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TransformContract, ::testing::ValuesIn(transforms().entries()),
                         [](const auto& tested) { return tested.param.name; });

// linear, exp and sigma are one family: with the same g they give the same half-widths, to rounding.
TEST(ScaleFamilies, LinearExpAndSigmaAreOne) {
  const auto linear = transforms().make("linear"), exponential = transforms().make("exp"), sigma = transforms().make("sigma");
  Random random(1);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const double r = std::exp(random.uniform(-30, 30)), g_calibration = 5 * random.normal(), g_test = 5 * random.normal();
    const auto width = [&](const Transform& phi) { return phi.half_width(phi.conformity(r, &g_calibration), &g_test); };
    EXPECT_NEAR(width(*exponential) / width(*linear), 1, 1e-13);
    EXPECT_NEAR(width(*sigma) / width(*linear), 1, 1e-13);
  }
}

// The paper's example with its two signs corrected: φ = √a − θx with the three points (x, a) = (1, 1), (2, 2), (3, 3).
TEST(Shift, ThePapersExample) {
  const auto phi = transforms().make("shift");
  const auto score = [&](double a, double x, double theta) {
    const double g = theta * x;
    return phi->value(a, &g);
  };
  const double at_zero = 0;
  // θ = −1: {2, √2 + 2, √3 + 3}, the second smallest is √2 + 2, and the interval at x = 0 has size 2 (2 + √2).
  EXPECT_NEAR(score(1, 1, -1), 2, 1e-15);
  const double q = score(2, 2, -1);
  EXPECT_NEAR(q, std::sqrt(2.0) + 2, 1e-15);
  EXPECT_NEAR(score(3, 3, -1), std::sqrt(3.0) + 3, 1e-15);
  EXPECT_NEAR(2 * phi->half_width(q, &at_zero), 2 * (2 + std::sqrt(2.0)), 1e-12);
  // θ = +1: {0, √2 − 2, √3 − 3}, the second smallest is √2 − 2 < 0, below the codomain at x = 0: the set is empty.
  const double negative = score(2, 2, 1);
  EXPECT_NEAR(negative, std::sqrt(2.0) - 2, 1e-15);
  EXPECT_LT(phi->half_width(negative, &at_zero), 0);
}

TEST(Mixture, IsTheWeightedSumOfItsComponents) {
  const auto phi = transforms().make("mixture: exp , linear*2");
  ASSERT_EQ(phi->n_params(), 6);
  const std::array<double, 6> g = {0.3, -0.2, 0.9, std::log(1.0), std::log(2.0), std::log(5.0)};
  const double a = 1.7;
  const double expected = (a * std::exp(0.3) + 2 * (std::log(a) - 0.2) + 5 * (std::log(a) + 0.9)) / 8;
  EXPECT_NEAR(phi->value(a, g.data()), expected, 1e-14);
}

TEST(Mixture, SaysWhatIsWrong) {
  EXPECT_THROW(transforms().make("mixture"), UsageError);
  EXPECT_THROW(transforms().make("mixture:exp,"), UsageError);
  EXPECT_THROW(transforms().make("mixture:exp*0"), UsageError);
  EXPECT_THROW(transforms().make("mixture:exp*1.5"), UsageError);
  EXPECT_THROW(transforms().make("mixture:exp*17"), UsageError);
  EXPECT_THROW(transforms().make("mixture:mixture:exp"), UsageError);
  EXPECT_THROW(transforms().make("mixture:expp"), UsageError);
}

// Scores through both tails and all bins, against the plain definition: increasing, continuous, and with the same slope on both
// sides of every knot.
TEST(Spline, IsSmoothAcrossItsKnots) {
  const auto phi = transforms().make("spline");
  const std::array<double, 8> g = {0.2, 0.5, 0.1, -0.4, 0.3, -0.5, 0.4, 0.2};
  std::vector<double> knots = {0.2 - 0.5 * std::exp(-0.4) - std::exp(0.1) - std::exp(0.5)};
  for (const double log_width : {0.5, 0.1, -0.4, 0.3, -0.5}) knots.push_back(knots.back() + std::exp(log_width));
  for (const double t : knots) {
    const double before = std::exp(t - 1e-9), after = std::exp(t + 1e-9);
    EXPECT_NEAR(phi->value(before, g.data()), phi->value(after, g.data()), 1e-7);
    EXPECT_NEAR(phi->slope(before, g.data()) * before, phi->slope(after, g.data()) * after, 1e-6);
  }
  std::size_t k = 0;
  for (const double p : {0.1, 0.3, 0.55, 0.8, 0.93, 0.99})
    EXPECT_NEAR(phi->value(std::exp(knots[k++]), g.data()), std::log(p / (1 - p)), 1e-12);
}

}  // namespace
}  // namespace taut
