// Properties of additive splines only; predictor_test.cpp has those of every predictor.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/additive_terms.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

const std::vector<double> uneven = {-1, -0.7, 0.1, 0.2, 1.5, 2};

TEST(NaturalSpline, GoesThroughItsValuesWithTwoDerivatives) {
  const std::vector<double> values = {0.3, -1, 2, 2.2, -0.5, 1};
  const NaturalSpline spline(uneven, values, -10, 10);
  constexpr double step = 1e-4;
  const auto slope = [&](double x) { return (spline(x + step) - spline(x - step)) / (2 * step); };
  const auto bend = [&](double x) { return (spline(x + step) - 2 * spline(x) + spline(x - step)) / (step * step); };
  for (std::size_t k = 0; k < uneven.size(); ++k) {
    EXPECT_NEAR(spline(uneven[k]), values[k], 1e-12);
    EXPECT_NEAR(slope(uneven[k] - 2 * step), slope(uneven[k] + 2 * step), 0.1);
    EXPECT_NEAR(bend(uneven[k] - 2 * step), bend(uneven[k] + 2 * step), 1);
  }
  EXPECT_NEAR(bend(-3), 0, 1e-5);  // linear outside
  EXPECT_NEAR(bend(5), 0, 1e-5);
  EXPECT_NEAR(spline(4) - spline(3), spline(3) - spline(2), 1e-10);
  EXPECT_EQ(spline(10), spline(1e30));  // constant beyond its limits
  EXPECT_EQ(spline(-10), spline(-infinity));
}

TEST(NaturalSpline, RoughnessIsTheIntegralOfTheSquaredSecondDerivative) {
  const std::vector<double> values = {0.3, -1, 2, 2.2, -0.5, 1};
  const NaturalSpline spline(uneven, values, -10, 10);
  double integral = 0;
  constexpr double step = 1e-3;
  for (double x = -1 + step / 2; x < 2; x += step)
    integral += std::pow((spline(x + step / 4) - 2 * spline(x) + spline(x - step / 4)) / (step * step / 16), 2) * step;
  const SplineKnots knots(uneven);
  const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(values.data(), 6);
  EXPECT_NEAR(g.dot(knots.roughness() * g), integral, 1e-3 * integral);
  const Eigen::VectorXd c = Eigen::VectorXd::Random(4);
  const Eigen::VectorXd curve = knots.curves() * c;
  EXPECT_NEAR(curve.dot(knots.roughness() * curve), c.squaredNorm(), 1e-9);
}

// A regressor at x equals the spline through its values at the knots.
TEST(AdditiveTerms, RegressorsAreSplines) {
  Random random(1);
  MatrixF x(300, 1);
  std::vector<double> y;
  for (Index r = 0; r < 300; ++r) {
    x(r, 0) = static_cast<float>(std::exp(random.normal()));
    y.push_back(random.normal());
  }
  const auto terms = additive_terms(x, y, 100, 1);
  ASSERT_EQ(terms.size(), 1U);
  const AdditiveTerm& term = terms[0];
  ASSERT_GT(term.size(), 4);
  std::vector<double> regressors(static_cast<std::size_t>(term.size()));
  for (Index which = 0; which < term.size(); ++which) {
    std::vector<double> values;
    for (const double knot : term.knots.knots()) {
      term.put(knot, regressors.data());
      values.push_back(regressors[static_cast<std::size_t>(which)]);
    }
    const NaturalSpline spline(term.knots.knots(), values, term.low, term.high);
    for (double at = -40; at < 60; at += 0.37) {
      term.put(at, regressors.data());
      EXPECT_NEAR(regressors[static_cast<std::size_t>(which)], spline(at), 1e-8 * (1 + std::abs(spline(at))))
          << which << " " << at;
    }
  }
}

struct Sample {
  MatrixF x;
  std::vector<double> y;
};

// y = sin 2a + b² + 0-1 input + noise; two more columns have no effect.
Sample additive_sample(Index rows, double noise, std::uint64_t seed) {
  Random random(seed);
  Sample s{MatrixF(rows, 5), {}};
  for (Index r = 0; r < rows; ++r) {
    const double a = random.uniform(-2, 2), b = random.uniform(-2, 2);
    const auto c = static_cast<double>(random.below(2));
    s.x.row(r) << static_cast<float>(a), static_cast<float>(b), static_cast<float>(c), static_cast<float>(random.normal()),
        static_cast<float>(random.normal());
    s.y.push_back(std::sin(2 * a) + b * b + c + noise * random.normal());
  }
  return s;
}

std::unique_ptr<Predictor> fitted(const Sample& s, int threads = 1) {
  auto predictor = predictors().make("additive");
  predictor->fit(s.x, all_rows(s.x.rows()), s.y, {}, taut::ExecutionContext{.threads = threads});
  return predictor;
}

std::vector<double> predicted(const Predictor& predictor, const MatrixF& x) {
  std::vector<double> f(static_cast<std::size_t>(x.rows()));
  predictor.predict(x, f, 1);
  return f;
}

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2) / static_cast<double>(a.size());
  return std::sqrt(sum);
}

TEST(Additive, LearnsCurvesFromFewRowsAndFromMany) {
  const Sample test = additive_sample(1000, 0, 2);
  for (const auto& [rows, maximum] : {std::pair<Index, double>{60, 0.45}, {300, 0.16}, {2000, 0.06}, {60'000, 0.02}})
    EXPECT_LT(root_mean_square(predicted(*fitted(additive_sample(rows, 0.4, 1)), test.x), test.y), maximum) << rows;
}

// A straight line is extrapolated as a line; far out it is constant.
TEST(Additive, ExtrapolatesLinesAndStaysFinite) {
  Random random(3);
  Sample s{MatrixF(500, 1), {}};
  for (Index r = 0; r < 500; ++r) {
    s.x(r, 0) = static_cast<float>(random.uniform(-1, 1));
    s.y.push_back(3 * static_cast<double>(s.x(r, 0)) + 0.01 * random.normal());
  }
  const auto predictor = fitted(s);
  MatrixF far(4, 1);
  far << 2.0F, -2.0F, 1e9F, std::numeric_limits<float>::max();
  const auto f = predicted(*predictor, far);
  EXPECT_NEAR(f[0], 6, 0.1);
  EXPECT_NEAR(f[1], -6, 0.1);
  EXPECT_LT(f[2], 30);
  EXPECT_EQ(f[2], f[3]);
}

TEST(Additive, OutliersOfAnInputDoNoHarm) {
  Sample s = additive_sample(500, 0.1, 4);
  s.x(3, 0) = 1e9F;
  s.x(4, 1) = -1e9F;
  s.x.col(3).setZero();
  const Sample test = additive_sample(500, 0, 5);
  const auto f = predicted(*fitted(s), test.x);
  EXPECT_LT(root_mean_square(f, test.y), 0.2);
}

// More columns than the regression can take: those with an effect keep their curves.
TEST(Additive, TakesTheBestOfManyColumnsSlow) {
  for (const Index columns : {300, 1200}) {
    Random random(6);
    Sample s{MatrixF(400, columns), {}};
    for (Index r = 0; r < 400; ++r) {
      for (Index c = 0; c < columns; ++c) s.x(r, c) = static_cast<float>(random.normal());
      const double a = s.x(r, 7);
      s.y.push_back(a + a * a + 0.1 * random.normal());
    }
    const auto f = predicted(*fitted(s), s.x);
    for (const double value : f) ASSERT_TRUE(std::isfinite(value));
    EXPECT_LT(root_mean_square(f, s.y), 0.8) << columns;
  }
}

TEST(Additive, SameBitsForAnyNumberOfThreads) {
  const Sample s = additive_sample(3000, 0.5, 7);
  EXPECT_EQ(predicted(*fitted(s, 1), s.x), predicted(*fitted(s, 3), s.x));
}

TEST(Additive, CanBeStopped) {
  const Sample s = additive_sample(100, 0.1, 8);
  taut::ExecutionContext context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(predictors().make("additive")->fit(s.x, all_rows(100), s.y, {}, context), Interrupted);
}

TEST(Additive, ADamagedFileIsRefused) {
  struct Entries {
    double intercept = 0;
    std::vector<std::int32_t> columns = {1}, sizes = {3};
    std::vector<double> knots = {0, 1, 2}, values = {1, 0, 1}, low = {-1}, high = {3};
  };
  const auto load = [](const Entries& e) {
    Archive archive;
    archive.put("intercept", e.intercept);
    archive.put("columns", e.columns);
    archive.put("sizes", e.sizes);
    archive.put("knots", e.knots);
    archive.put("values", e.values);
    archive.put("low", e.low);
    archive.put("high", e.high);
    predictors().make("additive")->load(archive, 2);
  };
  EXPECT_NO_THROW(load({}));
  EXPECT_THROW(load({.intercept = missing}), Error);
  EXPECT_THROW(load({.columns = {2}}), Error);
  EXPECT_THROW(load({.columns = {0, 1}}), Error);
  EXPECT_THROW(load({.sizes = {2}}), Error);
  EXPECT_THROW(load({.sizes = {4}}), Error);
  EXPECT_THROW(load({.sizes = {-3}}), Error);
  EXPECT_THROW(load({.knots = {0, 0, 2}}), Error);
  EXPECT_THROW(load({.knots = {0, 1, infinity}}), Error);
  EXPECT_THROW(load({.values = {0, 1}}), Error);
  EXPECT_THROW(load({.low = {4}}), Error);
  EXPECT_THROW(load({.high = {}}), Error);
}

}  // namespace
}  // namespace taut
