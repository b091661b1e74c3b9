// Every listed objective with every transformation that it takes: derivatives, invariances, minimisers.
#include <taut/train/objective.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/train/any_transform.hpp>
#include <taut/train/validation.hpp>
#include <tests/support/derivative.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using testing::agree;
using testing::difference;

struct Sample {
  std::vector<double> residual;
  std::vector<Side> side;
  Matrix g;
  int sides;

  ObjectiveRows view(const Transform& transform, bool sample) const { return {residual, side, transform, g, sides, sample, 1}; }
};

// For classes with empty sets the residuals are large enough that no set is empty: there is no derivative at the edge of an empty
// set.
Sample random_sample(const Transform& transform, Index rows, int sides, std::uint64_t seed) {
  const double minimum = transform.is_scale() ? 0.05 : 2;
  Random random(seed);
  Sample sample;
  sample.sides = sides;
  sample.g.resize(rows, transform.n_params() * sides);
  for (Index i = 0; i < rows; ++i) {
    sample.residual.push_back(std::abs(random.normal()) + minimum);
    sample.side.push_back(random.uniform() < 0.4 ? Side::below : Side::above);
    for (int side = 0; side < sides; ++side) transform.initial(sample.g.row(i).data() + side * transform.n_params());
    for (Index p = 0; p < sample.g.cols(); ++p) sample.g(i, p) += 0.3 * random.normal();
  }
  return sample;
}

bool fits(const Objective& objective, const Transform& transform) {
  return transform.n_params() > 0 && objective.fits(transform);
}

TEST(Objective, GradientsAreDerivatives) {
  int checked = 0;
  for (const auto& entry : objectives().entries()) {
    if (entry.name == "level") continue;  // its gradient is that of a smoothed quantile, tested below
    const auto objective = objectives().make(entry.example);
    for (const auto& class_entry : transforms().entries()) {
      const auto transform = transforms().make(class_entry.example);
      if (!fits(*objective, *transform)) continue;
      for (const int sides : {1, 2})
        for (const bool sample : {false, true}) {
          Sample rows = random_sample(*transform, 12, sides, 3);
          Matrix gradient, curvature;
          objective->evaluate(rows.view(*transform, sample), &gradient, &curvature);
          EXPECT_GT(curvature.maxCoeff(), 0) << entry.name;
          EXPECT_GE(curvature.minCoeff(), 0) << entry.name;
          for (Index i = 0; i < rows.g.size(); ++i) {
            const double kept = rows.g.data()[i];
            const auto along = [&](double at) {
              rows.g.data()[i] = at;
              return objective->evaluate(rows.view(*transform, sample), nullptr, nullptr);
            };
            const double numerical = difference(along, kept);
            rows.g.data()[i] = kept;
            EXPECT_TRUE(agree(gradient.data()[i], numerical, 1e-4) || std::abs(gradient.data()[i] - numerical) < 1e-8)
                << entry.name << " " << class_entry.name << " sides " << sides << ": " << gradient.data()[i] << " " << numerical;
            ++checked;
          }
        }
    }
  }
  EXPECT_GT(checked, 500);
}

// The O(N) form of `size` is the paper's pair sum, value and gradient, for every scale family and any number of sides.
TEST(Objective, SizeIsThePairSum) {
  const auto size = objectives().make("size");
  for (const auto& entry : transforms().entries()) {
    const auto transform = transforms().make(entry.example);
    if (!transform->is_scale() || transform->n_params() == 0) continue;
    for (const int sides : {1, 2}) {
      const Sample rows = random_sample(*transform, 40, sides, 9);
      Matrix fast, slow, curvature, slow_curvature;
      const double loss = size->evaluate(rows.view(*transform, true), &fast, &curvature);
      EXPECT_NEAR(loss, pair_sum(rows.view(*transform, true), &slow, &slow_curvature), 1e-12 * loss) << entry.name;
      EXPECT_LT((fast - slow).cwiseAbs().maxCoeff(), 1e-12) << entry.name;
      EXPECT_LT((curvature - slow_curvature).cwiseAbs().maxCoeff(), 1e-12) << entry.name;
    }
  }
}

// The same for one level: implicit differentiation in the general form equals the closed form of scale families.
TEST(Objective, LevelIsTheLevelWidth) {
  const auto level = objectives().make("level:0.8");
  for (const auto& entry : transforms().entries()) {
    const auto transform = transforms().make(entry.example);
    if (!transform->is_scale() || transform->n_params() == 0) continue;
    for (const int sides : {1, 2}) {
      const Sample rows = random_sample(*transform, 60, sides, 9);
      Matrix fast, slow, curvature, slow_curvature;
      const double loss = level->evaluate(rows.view(*transform, false), &fast, &curvature);
      EXPECT_NEAR(loss, level_width(rows.view(*transform, false), 0.8, &slow, &slow_curvature), 1e-11) << entry.name;
      EXPECT_LT((fast - slow).cwiseAbs().maxCoeff(), 1e-11) << entry.name;
      EXPECT_LT((curvature - slow_curvature).cwiseAbs().maxCoeff(), 1e-11) << entry.name;
    }
  }
}

// Multiplying s or r by a constant changes nothing but the unit.
TEST(Objective, ScaleObjectivesIgnoreUnits) {
  const auto transform = transforms().make("exp");
  for (const char* name : {"size", "conditional", "power:0.5", "level:0.9"}) {
    const auto objective = objectives().make(name);
    Sample rows = random_sample(*transform, 50, 1, 4);
    Matrix before, after, curvature;
    const double loss = objective->evaluate(rows.view(*transform, false), &before, &curvature);
    rows.g.array() += 3;
    EXPECT_NEAR(objective->evaluate(rows.view(*transform, false), &after, &curvature), loss, 1e-12) << name;
    for (double& r : rows.residual) r *= 1000;
    EXPECT_NEAR(objective->evaluate(rows.view(*transform, false), &after, &curvature), loss + std::log(1000.0), 1e-12) << name;
    EXPECT_LT((before - after).cwiseAbs().maxCoeff(), 1e-14) << name;
  }
}

// J_p is stationary where s ∝ E[r|x]^(1/(1+p)): two groups of rows with mean residuals 1 and 9.
TEST(Objective, PowersHaveTheirMinimiser) {
  const auto transform = transforms().make("exp");
  for (const double p : {0.0, 0.25, 0.5, 1.0}) {
    const auto objective = objectives().make("power:" + print_number(p));
    Sample rows{{0.5, 1.5, 6, 12}, std::vector<Side>(4, Side::above), Matrix(4, 1), 1};
    const double u = std::log(9.0) / (1 + p);
    rows.g << 0, 0, -2 * u, -2 * u;
    Matrix gradient, curvature;
    objective->evaluate(rows.view(*transform, false), &gradient, &curvature);
    EXPECT_NEAR(gradient(0, 0) + gradient(1, 0), 0, 1e-12) << p;
    EXPECT_NEAR(gradient(2, 0) + gradient(3, 0), 0, 1e-12) << p;
  }
}

// `level`: along a smooth direction v(x) the true derivative of the quantile is −E[v | z = q], which the window estimates. For a
// scale family, and for classes that need implicit differentiation.
TEST(Objective, LevelFollowsTheQuantile) {
  constexpr Index n = 200000;
  const auto objective = objectives().make("level:0.9");
  for (const char* name : {"exp", "shift", "spline"}) {
    const auto transform = transforms().make(name);
    Random random(8);
    Sample rows;
    rows.sides = 1;
    rows.g.resize(n, transform->n_params());
    std::vector<double> direction;
    for (Index i = 0; i < n; ++i) {
      const double x = random.uniform(-1, 1);
      rows.residual.push_back(std::exp(0.5 * x) * std::abs(random.normal()));
      rows.side.push_back(Side::above);
      direction.push_back(x);
      transform->initial(rows.g.row(i).data());
    }
    Matrix gradient, curvature;
    objective->evaluate(rows.view(*transform, false), &gradient, &curvature);
    double formula = 0;
    for (Index i = 0; i < n; ++i) formula += gradient(i, 0) * direction[static_cast<std::size_t>(i)];
    const double start = rows.g(0, 0);
    const auto along = [&](double t) {
      for (Index i = 0; i < n; ++i) rows.g(i, 0) = start + t * direction[static_cast<std::size_t>(i)];
      return objective->evaluate(rows.view(*transform, false), nullptr, nullptr);
    };
    constexpr double step = 0.1;
    const double numerical = (along(step) - along(-step)) / (2 * step);
    EXPECT_NEAR(formula, numerical, 0.2 * std::abs(numerical)) << name;  // the window is .2 wide in log z and averages v over it
    EXPECT_TRUE(!transform->is_scale() || std::abs(gradient.sum()) < 1e-12);
  }
}

// With 19 zeros among 20 residuals the quantile of `level:0.9` is 0 too.
TEST(Objective, SurvivesResidualsThatAreZero) {
  const auto transform = transforms().make("exp");
  for (const auto& entry : objectives().entries()) {
    const auto objective = objectives().make(entry.example);
    if (!fits(*objective, *transform)) continue;
    for (const std::size_t zeros : {15U, 19U, 20U}) {
      Sample rows = random_sample(*transform, 20, 2, 1);
      std::fill_n(rows.residual.begin(), zeros, 0.0);
      Matrix gradient, curvature;
      EXPECT_TRUE(std::isfinite(objective->evaluate(rows.view(*transform, false), &gradient, &curvature)))
          << entry.name << " " << zeros;
      EXPECT_TRUE(gradient.allFinite() && curvature.allFinite()) << entry.name << " " << zeros;
    }
  }
}

TEST(Objective, NamesAreChecked) {
  EXPECT_THROW(objectives().make("power:2"), UsageError);
  EXPECT_THROW(objectives().make("level"), UsageError);
  EXPECT_THROW(objectives().make("level:1.5"), UsageError);
  EXPECT_THROW(objectives().make("size:1"), UsageError);
}

TEST(IntervalQuality, OfAKnownCase) {
  const auto transform = transforms().make("fixed");
  Sample rows{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, std::vector<Side>(10, Side::above), Matrix(10, 0), 1};
  const auto quality = interval_quality(rows.view(*transform, false), 0.8);
  EXPECT_DOUBLE_EQ(quality.width, 16);                                    // the eighth of ten, both ends
  EXPECT_DOUBLE_EQ(quality.interval_score, 16 + 2 / 0.2 * (1 + 2) / 10);  // two rows miss, by 1 and by 2
}

}  // namespace
}  // namespace taut
