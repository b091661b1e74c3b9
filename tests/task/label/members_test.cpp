// The members of f for labels: each equals its formula, and together they are better than trees alone.
#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/model/file.hpp>
#include <taut/task/label/class_linear.hpp>
#include <taut/task/label/class_predictor.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/label/corrected_logits.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/temperature.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::label_options;
using testing::labelled_rows;
using testing::without_probabilities;

const ExecutionContext one_thread{.threads = 1};

double penalised_loss(const MatrixF& x, std::span<const Index> labels, const Matrix& weights, double penalty) {
  double loss = 0.5 * penalty * weights.topRows(x.cols()).squaredNorm();
  for (Index row = 0; row < x.rows(); ++row) {
    const Matrix z = x.row(row).cast<double>() * weights.topRows(x.cols()) + weights.row(x.cols());
    loss += log_loss_of({z.data(), static_cast<std::size_t>(z.cols())}, 1, labels[static_cast<std::size_t>(row)]);
  }
  return loss;
}

// The loss is convex, so weights from which no small step decreases it are optimal.
TEST(LogisticRidge, NoStepIsBetterThanTheWeightsFound) {
  Random random(3);
  const auto rows = labelled_rows(300, 4, random);
  const MatrixF x = rows.table.values.leftCols(3).cast<float>();
  const LogisticRidge ridge(x, rows.labels, 4);
  for (const double penalty : {0.1, 10.0}) {
    Matrix weights = Matrix::Zero(4, 4);
    ridge.minimise(penalty, weights);
    const double minimum = penalised_loss(x, rows.labels, weights, penalty);
    EXPECT_LT(minimum, penalised_loss(x, rows.labels, Matrix::Zero(4, 4), penalty) - 20);
    for (Index i = 0; i < weights.rows(); ++i)
      for (Index k = 0; k < weights.cols(); ++k)
        for (const double step : {-0.05, 0.05}) {
          Matrix other = weights;
          other(i, k) += step;
          EXPECT_GT(penalised_loss(x, rows.labels, other, penalty), minimum) << i << " " << k << " " << step;
        }
  }
}

Matrix noisy_logits(const Matrix& p, double noise, Random& random) {
  Matrix z = p.array().log().matrix();
  for (Index i = 0; i < z.size(); ++i) z.data()[i] += noise * random.normal();
  return z;
}

TEST(LogitWeights, AreTheBestOnesAndNeverNegative) {
  Random random(8);
  const auto rows = labelled_rows(2000, 3, random);
  const Matrix p = rows.table.values.middleCols(3, 3);
  const Matrix good = noisy_logits(p, 0.5, random), fair = noisy_logits(p, 1, random), contrary = -noisy_logits(p, 0.5, random);
  const std::vector<const Matrix*> members = {&good, &fair, &contrary};
  const auto weights = logit_weights(members, rows.labels, 1);
  EXPECT_GT(weights[0], weights[1]);
  EXPECT_GT(weights[1], 0);
  EXPECT_EQ(weights[2], 0);
  EXPECT_EQ(weights, logit_weights(members, rows.labels, 2));
  const auto loss = [&](const std::vector<double>& own) {
    const Matrix z = weighted_logits(members, own);
    const double doubt = label_smoothing(z.rows());
    double sum = 0;
    for (Index row = 0; row < z.rows(); ++row)
      for (Index k = 0; k < 3; ++k) {
        const double share = doubt / 3 + (k == rows.labels[static_cast<std::size_t>(row)] ? 1 - doubt : 0);
        sum += share * log_loss_of({z.row(row).data(), 3}, 1, k);
      }
    return sum;
  };
  for (std::size_t j = 0; j < 3; ++j)
    for (const double step : {-0.02, 0.02}) {
      auto other = weights;
      other[j] += step;
      if (other[j] < 0) continue;
      EXPECT_GT(loss(other), loss(weights)) << j << " " << step;
    }
  const double alone = logit_weights({&fair}, rows.labels, 1).front();
  EXPECT_NEAR(alone, best_inverse_temperature(fair, rows.labels, 1, label_smoothing(2000)), 1e-3 * alone);
}

// Forty rows, all of them correct, only show that the error rate is about 1/40 or lower. No weight may claim more.
TEST(LogitWeights, OfMembersThatAreNeverWrongAreBounded) {
  Matrix z = Matrix::Zero(40, 2);
  std::vector<Index> labels;
  for (Index row = 0; row < 40; ++row) {
    labels.push_back(row % 2);
    z(row, row % 2) = 1;
  }
  const double doubt = label_smoothing(40),
               sure = std::log((1 - doubt / 2) / (doubt / 2));  // the odds of the smoothed labels
  EXPECT_NEAR(logit_weights({&z}, labels, 1).front(), sure, 1e-3 * sure);
  EXPECT_NEAR(best_inverse_temperature(z, labels, 1, doubt), sure, 2e-3 * sure);
  EXPECT_GT(best_inverse_temperature(z, labels, 1), 19);
}

Classifier fitted(const Table& table, Index classes, const std::string& effort, const std::string& split = "") {
  FitOptions options = without_probabilities(label_options("fixed"), classes);
  options.effort = effort;
  options.split = split;
  return Classifier::fit(table, options, {}, one_thread);
}

// The logits are linear in x: trees alone need many steps for what two other members fit at once.
TEST(ClassPredictor, MembersTogetherBeatTreesAlone) {
  Random random(21);
  const auto rows = labelled_rows(1500, 4, random), fresh = labelled_rows(4000, 4, random);
  const auto loss = [&](const Classifier& model) {
    return model.evaluate(fresh.table, std::array{0.9}, one_thread).probabilities[1].second;
  };
  const Classifier pooled = fitted(rows.table, 4, "normal"), alone = fitted(rows.table, 4, "quick"),
                   shares = fitted(rows.table, 4, "normal", "0.6,0.1,0.1,0.2");
  EXPECT_LT(pooled.label_record().loss_with, pooled.label_record().loss_without - pooled.label_record().loss_error);
  const auto members = pooled.predictor_members();
  EXPECT_TRUE(std::any_of(members.begin(), members.end(), [](const auto& one) { return one.first != "boost"; }));
  for (const Classifier* model : {&alone, &shares}) {
    ASSERT_EQ(model->predictor_members().size(), 1u);
    EXPECT_EQ(model->predictor_members().front(), std::pair(std::string("boost"), 1.0));
  }
  EXPECT_LT(loss(pooled), loss(alone) - 0.02);
  const Classifier back = Classifier::from_bytes(pooled.to_bytes());
  EXPECT_EQ(back.predictor_members(), members);
  EXPECT_TRUE(back.probabilities(fresh.table, one_thread) == pooled.probabilities(fresh.table, ExecutionContext{.threads = 2}));
}

bool has_other_members(const Classifier& model) {
  const auto members = model.predictor_members();
  return std::any_of(members.begin(), members.end(), [](const auto& one) { return one.first != "boost"; });
}

// Whatever calibration rows contain, the members, their weights and the temperature keep their bits.
TEST(ClassPredictor, CalibrationRowsDoNotAffectIt) {
  Random random(31);
  const auto rows = labelled_rows(600, 3, random), fresh = labelled_rows(200, 3, random);
  FitOptions options = without_probabilities(label_options("fixed"), 3);
  options.effort = "normal";
  const RowPlan plan = plan_of(rows.table, all_rows(rows.table.values.rows()), options, false);
  ASSERT_GT(plan.calibration.size(), 50u);
  Table changed = rows.table;
  const Index last = changed.values.cols() - 1;
  for (const auto row : plan.calibration) {
    for (Index c = 0; c < 3; ++c) changed.values(row, c) = 5 - 2 * changed.values(row, c);
    changed.values(row, last) = changed.values(row, last) == 0 ? 2 : 0;
  }
  const Classifier one = Classifier::fit(rows.table, options, {}, one_thread),
                   other = Classifier::fit(changed, options, {}, one_thread);
  ASSERT_TRUE(has_other_members(one));
  EXPECT_EQ(one.predictor_members(), other.predictor_members());
  EXPECT_TRUE(one.probabilities(fresh.table, one_thread) == other.probabilities(fresh.table, one_thread));
}

TEST(ClassPredictor, SameBytesForAnyNumberOfThreads) {
  Random random(32);
  const auto rows = labelled_rows(700, 3, random);
  FitOptions options = without_probabilities(label_options("fixed"), 3);
  options.effort = "normal";
  const Classifier one = Classifier::fit(rows.table, options, {}, one_thread);
  ASSERT_TRUE(has_other_members(one));
  for (const int threads : {2, 5})
    EXPECT_TRUE(Classifier::fit(rows.table, options, {}, {.threads = threads}).to_bytes() == one.to_bytes());
}

TEST(ClassPredictor, ARowAloneHasTheBitsItHasAmongOthers) {
  Random random(33);
  const auto rows = labelled_rows(500, 5, random), fresh = labelled_rows(37, 5, random);
  const Classifier model = fitted(rows.table, 5, "normal");
  ASSERT_TRUE(has_other_members(model));
  const Matrix together = model.probabilities(fresh.table, one_thread);
  for (Index row = 0; row < together.rows(); ++row) {
    Table alone = fresh.table;
    alone.values = fresh.table.values.row(row);
    EXPECT_TRUE(model.probabilities(alone, one_thread) == together.row(row)) << row;
  }
}

// A member without weight is not in the file. Trees alone are written as before there were other members.
TEST(ClassPredictor, MembersWithoutWeightAreAbsent) {
  Random random(34);
  const auto planes = labelled_rows(1500, 4, random);
  auto corners = labelled_rows(1500, 2, random);  // the label is the sign of a product, which no linear member can fit
  for (Index row = 0; row < 1500; ++row) {
    const bool same = (corners.table.values(row, 0) > 0) == (corners.table.values(row, 1) > 0);
    corners.table.values(row, corners.table.values.cols() - 1) = same != (random.uniform() < 0.1) ? 1 : 0;
  }
  const Classifier pooled = fitted(planes.table, 4, "normal"), trees = fitted(corners.table, 2, "normal");
  const auto counts = [&](const Classifier& model, const std::string& name) {
    const auto members = model.predictor_members();
    return std::any_of(members.begin(), members.end(), [&](const auto& one) { return one.first == name; });
  };
  const Archive of_pool = Archive::decode(unframe(pooled.to_bytes())), of_trees = Archive::decode(unframe(trees.to_bytes()));
  EXPECT_TRUE(has_other_members(pooled));
  for (const auto& [name, weight] : pooled.predictor_members()) EXPECT_GE(weight, 0.01) << name;
  EXPECT_FALSE(of_pool.has_scope("trees"));
  EXPECT_EQ(of_pool.has_scope("pool/trees"), counts(pooled, "boost"));
  EXPECT_EQ(of_pool.has_scope("pool/from_linear"), counts(pooled, "boost_from_logistic"));
  EXPECT_TRUE(of_pool.has_scope("pool/linear"));
  EXPECT_FALSE(has_other_members(trees));
  EXPECT_FALSE(of_trees.has_scope("pool"));
  EXPECT_TRUE(of_trees.has_scope("trees"));
}

TEST(ClassPredictor, LargeTablesAndQuickFitsTryTreesAlone) {
  EXPECT_TRUE(ClassPredictor::tries_others(6'000, 50, 10, SearchEffort::normal));
  EXPECT_TRUE(ClassPredictor::tries_others(6'000, 50, 10, SearchEffort::thorough));
  EXPECT_FALSE(ClassPredictor::tries_others(6'000, 50, 10, SearchEffort::quick));
  EXPECT_FALSE(ClassPredictor::tries_others(80'000'000'000, 1'000'000, 1'000, SearchEffort::normal));
}

TEST(ClassPredictor, DamagedPoolsAreErrors) {
  Random random(4);
  const auto rows = labelled_rows(300, 3, random);
  const Classifier model = fitted(rows.table, 3, "normal");
  ASSERT_NE(model.predictor_members().front(), std::pair(std::string("boost"), 1.0));
  const std::string payload(unframe(model.to_bytes()));
  Random where(9);
  for (int again = 0; again < 300; ++again) {
    std::string damaged = payload;
    damaged[static_cast<std::size_t>(where.below(std::ssize(damaged)))] = static_cast<char>(where.below(256));
    try {
      (void)Classifier::from_bytes(frame(damaged)).predict_sets(rows.table, std::array{0.9}, one_thread);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace taut
