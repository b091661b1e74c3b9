// The second stage of g: from quantiles of scaled residuals to scores.
#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/train/fit_localization.hpp>
#include <taut/train/residual_curve.hpp>
#include <taut/transform/curve.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

TEST(Shapes, NeedABaseScale) {
  std::vector<std::string> with_base;
  for (const auto& entry : transforms().entries()) {
    const std::string base = transforms().make(entry.example)->base();
    if (base.empty()) continue;
    with_base.push_back(entry.name);
    EXPECT_TRUE(transforms().make(base)->is_scale()) << entry.name;
    EXPECT_EQ(trained_first(base), base) << entry.name;
    EXPECT_EQ(trained_first(entry.example), base) << entry.name;
  }
  EXPECT_EQ(shapes().names(), with_base);
}

// The set |l| <= q lies between two quantiles: at the log-odds of a knot the interval ends at that knot.
TEST(CurveParams, IntervalsEndAtTheQuantiles) {
  const auto phi = transforms().make("curve");
  const auto p = all_curve_probabilities();
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Matrix quantiles(1, std::ssize(p)), scales(1, 1 + repeat % 2);
    for (double& z : quantiles.reshaped()) z = random.normal() + 0.5;
    for (double& u : scales.reshaped()) u = random.normal();
    const Matrix g = curve_params(quantiles, scales);
    std::vector<double> y(quantiles.data(), quantiles.data() + quantiles.size());
    std::sort(y.begin(), y.end());
    for (double& one : y) one *= std::exp(scales(0, one < 0 ? 0 : scales.cols() - 1));
    const std::size_t middle = n_curve_knots;
    const RowScore score{g(0, 2 * phi->n_params()), 1, *phi, g.data(), g.data() + phi->n_params()};
    const double minimum = 1e-3 * (y.back() - y.front());
    double shortest = infinity;
    for (std::size_t k = 1; k < y.size(); ++k) shortest = std::min(shortest, y[k] - y[k - 1]);
    if (shortest < minimum) continue;
    for (std::size_t k = 1; k <= middle; ++k) {
      const double odds = std::log(p[middle + k] / (1 - p[middle + k]));
      const Interval interval = score.at_most(odds);
      EXPECT_NEAR(interval.lower, y[middle - k], 1e-9);
      EXPECT_NEAR(interval.upper, y[middle + k], 1e-9);
    }
    EXPECT_EQ(score.f(), y[middle]);
  }
}

// Fewer than forty validation rows do not make two groups, so the standard error is infinite.
TEST(FittedShape, IsNeverBetterWithoutAStandardError) {
  FittedShape fitted{{}, 1, 2, 0.5};
  EXPECT_TRUE(fitted.is_better());
  EXPECT_TRUE(fitted.is_better(/*clearly=*/true));
  fitted.standard_error = 1.5;
  EXPECT_TRUE(fitted.is_better());
  EXPECT_FALSE(fitted.is_better(/*clearly=*/true));
  for (const double unknown : {infinity, missing}) {
    fitted.standard_error = unknown;
    EXPECT_FALSE(fitted.is_better());
  }
  fitted.standard_error = 0.5;
  for (const double loss : {infinity, -infinity, missing}) {
    fitted.validation_loss = loss;
    EXPECT_FALSE(fitted.is_better()) << loss;
  }
}

TEST(CurveParams, AreFiniteWhereQuantilesCoincide) {
  const auto count = std::ssize(all_curve_probabilities());
  for (const double z : {0.0, 1.0, -1e9}) {
    const Matrix g = curve_params(Matrix::Constant(2, count, z), Matrix::Constant(2, 1, -30));
    EXPECT_TRUE(g.allFinite());
  }
}

// Skewed noise, to the right for x_0 > 0 and to the left elsewhere, which no scale can model; three times as large for x_1 > 0,
// which a scale can.
struct FlippedSkew {
  MatrixF x;
  Residuals residuals;

  FlippedSkew(Index rows, std::uint64_t seed) : x(rows, 2) {
    Random random(seed);
    for (Index i = 0; i < rows; ++i) {
      x(i, 0) = static_cast<float>(random.uniform(-1, 1));
      x(i, 1) = static_cast<float>(random.normal());
      const double noise = (-std::log(1 - random.uniform()) - 1) * (x(i, 1) > 0 ? 3 : 1), z = x(i, 0) > 0 ? noise : -noise;
      residuals.size.push_back(std::abs(z));
      residuals.side.push_back(z < 0 ? Side::below : Side::above);
    }
  }
};

std::vector<TrainingPart> five_parts(Index rows) {
  std::vector<TrainingPart> parts;
  for (Index p = 0; p < 5; ++p) parts.push_back({rows, p * rows / 5, (p + 1) * rows / 5});
  return parts;
}

FittedShape curve_of(const FlippedSkew& data, const std::vector<TrainingPart>& parts, int threads) {
  const InputPool x(data.x);
  const auto plan = localization_plan({.sides = {1}, .training = {.epochs = 20, .localizer = {}}}, "exp");
  const auto fitted = fit_localization(plan, x, data.residuals, parts, ExecutionContext{.threads = threads});
  Localization localization = fitted.localization;
  EXPECT_FALSE(fitted.fell_back);
  return shapes().make("curve")->fit(localization, *transforms().make("exp"), x, data.residuals, parts, 1,
                                     ExecutionContext{.threads = threads});
}

TEST(FitCurve, SeesASkewThatDependsOnTheInputsSlow) {
  const FlippedSkew data(4000, 1);
  // One part: the last fifth validates.
  for (const auto& parts : {five_parts(4000), {TrainingPart{4000, 3200, 4000}}}) {
    const auto fitted = curve_of(data, parts, 1);
    EXPECT_TRUE(fitted.is_better());
    EXPECT_LT(fitted.validation_loss, fitted.loss_of_scale - 0.1);
    EXPECT_LT(fitted.standard_error, 0.05);
    EXPECT_EQ(fitted.shape->n_members(), std::ssize(parts));
    // The median of the noise, log 2 − 1 times its size, is on the side opposite to its tail.
    MatrixF at(2, 2);
    at << 0.5F, 1, -0.5F, 1;
    const Matrix g = fitted.shape->params(at, Matrix::Constant(2, 1, std::log(3.0) / 2), 1);
    const Index centre = g.cols() - 1, below = 2, above = below + static_cast<Index>(n_curve_knots);
    EXPECT_LT(g(0, centre), -0.5);
    EXPECT_GT(g(1, centre), 0.5);
    EXPECT_GT(g(0, above), g(0, below) + 1);
    EXPECT_LT(g(1, above), g(1, below) - 1);
  }
}

// Noise of two values, one below f and one above, both shifted along a line: few rows are enough for lines, while trees would
// need many steps.
TEST(FitCurve, StartsFromLinesWhereTheyAreBetter) {
  constexpr Index rows = 400;
  Random random(5);
  FlippedSkew data(rows, 5);
  for (Index i = 0; i < rows; ++i) {
    const double z = 0.8 * static_cast<double>(data.x(i, 0)) + (random.uniform() < 0.5 ? -1 : 1) + 0.1 * random.normal();
    data.residuals.size[static_cast<std::size_t>(i)] = std::abs(z);
    data.residuals.side[static_cast<std::size_t>(i)] = z < 0 ? Side::below : Side::above;
  }
  const auto parts = five_parts(rows);
  Localization no_scale("boost", 1);
  no_scale.members().resize(parts.size());
  const auto fitted = shapes().make("curve")->fit(no_scale, *transforms().make("exp"), InputPool(data.x), data.residuals, parts,
                                                  1, ExecutionContext{.threads = 2});
  EXPECT_LT(fitted.validation_loss, fitted.loss_of_scale - 0.1);
  Archive archive;
  fitted.shape->save(archive);
  EXPECT_TRUE(archive.scope("member0").scope("lines").has("slopes"));
  const Matrix scale = Matrix::Zero(2, 1);
  MatrixF at(2, 2);
  at << -0.9F, 0, 0.9F, 0;
  const Matrix g = fitted.shape->params(at, scale, 1);
  EXPECT_EQ(ResidualCurve::load(archive, 2, 1).params(at, scale, 1), g);
}

TEST(FitCurve, SameBitsForAnyNumberOfThreads) {
  const FlippedSkew data(1500, 2);
  const auto one = curve_of(data, five_parts(1500), 1), many = curve_of(data, five_parts(1500), 4);
  EXPECT_EQ(one.validation_loss, many.validation_loss);
  Archive a, b;
  one.shape->save(a);
  many.shape->save(b);
  EXPECT_EQ(a.encode(), b.encode());
}

TEST(ResidualCurve, RefusesDamage) {
  const FlippedSkew data(600, 3);
  const auto fitted = curve_of(data, five_parts(600), 1);
  const auto refuses = [&](auto damage) {
    Archive archive;
    fitted.shape->save(archive);
    damage(archive);
    EXPECT_THROW(ResidualCurve::load(archive, 2, 1), Error);
  };
  Archive whole;
  fitted.shape->save(whole);
  EXPECT_NO_THROW(ResidualCurve::load(whole, 2, 1));
  refuses([](Archive& a) { a.put("members", std::int64_t{0}); });
  refuses([](Archive& a) { a.put("members", std::int64_t{6}); });
  refuses([](Archive& a) { a.put("probabilities", std::vector<double>{0.5}); });
  refuses([](Archive& a) { a.put("member2/initial", std::vector<double>{0.5}); });
  refuses([](Archive& a) {
    auto initial = a.get<std::vector<double>>("member2/initial");
    initial.front() = std::nan("");
    a.put("member2/initial", initial);
  });
}

}  // namespace
}  // namespace taut
