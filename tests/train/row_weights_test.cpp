// A row of weight w counts as w equal rows in every objective, in the choice of candidates and in the parts of the curve.
#include <taut/core/random.hpp>
#include <taut/train/any_transform.hpp>
#include <taut/train/quantile_lines.hpp>
#include <taut/train/trainer.hpp>
#include <taut/train/validation.hpp>
#include <tests/support/derivative.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Sample {
  Residuals residuals;
  Matrix g;
  int sides;

  ObjectiveRows view(const Transform& transform, bool sample) const {
    return {residuals.size, residuals.side, transform, g, sides, sample, 1, residuals.weight};
  }
};

Sample random_sample(const Transform& transform, Index rows, int sides, std::uint64_t seed) {
  Random random(seed);
  Sample sample;
  sample.sides = sides;
  sample.g.resize(rows, transform.n_params() * sides);
  for (Index i = 0; i < rows; ++i) {
    sample.residuals.size.push_back(std::abs(random.normal()) + (transform.is_scale() ? 0.05 : 2));
    sample.residuals.side.push_back(random.uniform() < 0.4 ? Side::below : Side::above);
    sample.residuals.weight.push_back(static_cast<double>(1 + random.below(4)));
    for (int side = 0; side < sides; ++side) transform.initial(sample.g.row(i).data() + side * transform.n_params());
    for (Index p = 0; p < sample.g.cols(); ++p) sample.g(i, p) += 0.3 * random.normal();
  }
  return sample;
}

Rows origins_of(const std::vector<double>& weights) {
  Rows origin;
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (double left = weights[i]; left > 0; --left) origin.push_back(static_cast<Index>(i));
  return origin;
}

Sample repeated(const Sample& sample) {
  const Rows origin = origins_of(sample.residuals.weight);
  Sample all{pick(sample.residuals, origin), sample.g(origin, Eigen::all), sample.sides};
  all.residuals.weight.clear();
  return all;
}

// Calls check(objective, name, transform, sides) for every listed pair.
template <class Check>
void for_each_pair(Check check) {
  for (const auto& entry : objectives().entries()) {
    const auto objective = objectives().make(entry.example);
    for (const auto& class_entry : transforms().entries()) {
      const auto transform = transforms().make(class_entry.example);
      if (transform->n_params() == 0 || !objective->fits(*transform)) continue;
      for (const int sides : {1, 2}) check(*objective, entry.name + " " + class_entry.name, *transform, sides);
    }
  }
}

// Except the paper's pair sum for classes that are no scales, whose blocks of sixteen rows are other blocks if rows repeat.
TEST(RowWeights, LossesAndGradientsAreThoseOfRepeatedRows) {
  int checked = 0;
  for_each_pair([&](const Objective& objective, const std::string& name, const Transform& transform, int sides) {
    if (name.starts_with("size ") && !transform.is_scale()) return;
    const Sample own = random_sample(transform, 40, sides, 3), other = repeated(own);
    Matrix gradient, curvature, other_gradient, other_curvature;
    const double loss = objective.evaluate(own.view(transform, false), &gradient, &curvature);
    EXPECT_NEAR(loss, objective.evaluate(other.view(transform, false), &other_gradient, &other_curvature),
                1e-10 * (1 + std::abs(loss)))
        << name;
    const Rows origin = origins_of(own.residuals.weight);
    for (std::size_t i = 0; i < origin.size(); ++i) {
      EXPECT_LT((gradient.row(origin[i]) - other_gradient.row(static_cast<Index>(i))).cwiseAbs().maxCoeff(), 1e-10) << name;
      EXPECT_LT((curvature.row(origin[i]) - other_curvature.row(static_cast<Index>(i))).cwiseAbs().maxCoeff(), 1e-9) << name;
    }
    EXPECT_NEAR(objective.validation_loss(own.view(transform, false)), objective.validation_loss(other.view(transform, false)),
                1e-10)
        << name;
    ++checked;
  });
  EXPECT_GT(checked, 40);
}

// ∂loss/∂g of a row is its gradient times its weight; for fractional weights, and for mini-batches too.
TEST(RowWeights, GradientsTimesWeightsAreDerivatives) {
  for_each_pair([&](const Objective& objective, const std::string& name, const Transform& transform, int sides) {
    if (name.starts_with("level")) return;  // its gradient is that of a smoothed quantile
    for (const bool sample : {false, true}) {
      Sample rows = random_sample(transform, 12, sides, 5);
      for (double& weight : rows.residuals.weight) weight *= 0.37;
      Matrix gradient, curvature;
      objective.evaluate(rows.view(transform, sample), &gradient, &curvature);
      for (Index i = 0; i < rows.g.size(); ++i) {
        const double kept = rows.g.data()[i];
        const auto along = [&](double at) {
          rows.g.data()[i] = at;
          return objective.evaluate(rows.view(transform, sample), nullptr, nullptr);
        };
        const double numerical = testing::difference(along, kept);
        rows.g.data()[i] = kept;
        const double derivative = gradient.data()[i] * rows.residuals.weight[static_cast<std::size_t>(i / rows.g.cols())];
        EXPECT_TRUE(testing::agree(derivative, numerical, 1e-4) || std::abs(derivative - numerical) < 1e-8)
            << name << ": " << derivative << " " << numerical;
      }
    }
  });
}

// Only the proportions of weights matter to a loss over all rows.
TEST(RowWeights, LossesIgnoreTheUnitOfWeights) {
  for_each_pair([&](const Objective& objective, const std::string& name, const Transform& transform, int sides) {
    Sample rows = random_sample(transform, 30, sides, 8);
    const double loss = objective.evaluate(rows.view(transform, false), nullptr, nullptr);
    for (double& weight : rows.residuals.weight) weight *= 1e-3;
    EXPECT_NEAR(objective.evaluate(rows.view(transform, false), nullptr, nullptr), loss, 1e-9 * (1 + std::abs(loss))) << name;
  });
}

// The boosted localizer, trained on the same rows with weights and repeated.
TEST(RowWeights, BoostedScalesAreThoseOfRepeatedRows) {
  const auto transform = transforms().make("exp");
  const auto objective = objectives().make("conditional");
  Random random(4);
  const Index rows = 300, held = 220;
  MatrixF x(rows, 2);
  Residuals residuals;
  for (Index i = 0; i < rows; ++i) {
    x(i, 0) = static_cast<float>(random.below(40));
    x(i, 1) = static_cast<float>(random.normal());
    residuals.size.push_back(std::abs(random.normal()) * (1 + static_cast<double>(x(i, 0)) / 20));
    residuals.side.push_back(random.uniform() < 0.5 ? Side::below : Side::above);
    residuals.weight.push_back(static_cast<double>(Index{1} << random.below(3)));
  }
  const auto scales = [&](const InputPool& pool, const Residuals& of_rows, const Rows& origin) {
    Rows train, validation;
    for (std::size_t i = 0; i < origin.size(); ++i) (origin[i] < held ? train : validation).push_back(static_cast<Index>(i));
    const Residuals r_train = pick(of_rows, train), r_validation = pick(of_rows, validation);
    auto localizer = localizers().make("boost");
    TrainingSettings settings;
    settings.epochs = 30;
    settings.sides = 2;
    settings.localizer.min_weight = 20;
    taut::train(*localizer, *transform, *objective, pool, {train, r_train}, {validation, r_validation}, settings, {.threads = 1});
    Matrix g(rows, 2);
    localizer->evaluate(x, g, 1);
    return g;
  };
  const Rows origin = origins_of(residuals.weight);
  Residuals of_repeated = pick(residuals, origin);
  of_repeated.weight.clear();
  const MatrixF repeated_x = x(origin, Eigen::all);
  const Matrix own = scales(InputPool(x, residuals.weight), residuals, all_rows(rows));
  const Matrix other = scales(InputPool(repeated_x), of_repeated, origin);
  EXPECT_LT((own - other).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_GT((own.rowwise() - own.row(0)).cwiseAbs().maxCoeff(), 0.02);
}

TEST(RowWeights, QuantileLinesAreThoseOfRepeatedRows) {
  Random random(6);
  const Index rows = 120, held = 80;
  MatrixF x(rows, 2);
  std::vector<double> y, weights;
  for (Index i = 0; i < rows; ++i) {
    x(i, 0) = static_cast<float>(random.normal());
    x(i, 1) = static_cast<float>(random.uniform());
    y.push_back(static_cast<double>(x(i, 0)) + random.normal());
    weights.push_back(static_cast<double>(1 + random.below(3)));
  }
  const std::vector<double> probabilities = {0.1, 0.5, 0.9};
  const auto rows_below = [&](const Rows& origin, bool below) {
    Rows chosen;
    for (std::size_t i = 0; i < origin.size(); ++i)
      if ((origin[i] < held) == below) chosen.push_back(static_cast<Index>(i));
    return chosen;
  };
  const Rows all = all_rows(rows), origin = origins_of(weights);
  const auto own = QuantileLines::fit(x, rows_below(all, true), rows_below(all, false), y, probabilities, weights);
  const MatrixF repeated_x = x(origin, Eigen::all);
  const auto other =
      QuantileLines::fit(repeated_x, rows_below(origin, true), rows_below(origin, false), pick(y, origin), probabilities);
  ASSERT_TRUE(own.has_slopes() && other.has_slopes());
  Matrix slopes = Matrix::Zero(rows, 3), other_slopes = slopes;
  own.add_slopes(x, slopes);
  other.add_slopes(x, other_slopes);
  EXPECT_LT((slopes - other_slopes).cwiseAbs().maxCoeff(), 1e-6);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(own.intercepts()[k], other.intercepts()[k], 1e-6);
}

TEST(RowWeights, SampleQuantilesAreThoseOfRepeatedValues) {
  const std::vector<double> values = {5, 1, 4, 2}, weights = {2, 3, 1, 4};
  const std::vector<double> repeated = {1, 1, 1, 2, 2, 2, 2, 4, 5, 5};
  for (const double level : {0.1, 0.25, 0.3, 0.5, 0.7, 0.8, 0.81, 0.9, 0.95})
    EXPECT_EQ(sample_quantile(values, level, weights), sample_quantile(repeated, level)) << level;
}

}  // namespace
}  // namespace taut
