// The members of f for labels: each is what its formula says, and together they are better than trees alone.
#include <taut/classes/class_model.hpp>
#include <taut/classes/logistic_ridge.hpp>
#include <taut/classes/logit_weights.hpp>
#include <taut/classes/softmax.hpp>
#include <taut/classes/temperature.hpp>
#include <taut/core/error.hpp>
#include <taut/model/file.hpp>
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

// The loss is convex: weights from which no small step goes down are the best ones.
TEST(LogisticRidge, NoStepIsBetterThanTheWeightsFound) {
  Random random(3);
  const auto rows = labelled_rows(300, 4, random);
  const MatrixF x = rows.table.values.leftCols(3).cast<float>();
  const LogisticRidge ridge(x, rows.labels, 4);
  for (const double penalty : {0.1, 10.0}) {
    Matrix weights = Matrix::Zero(4, 4);
    ridge.minimise(penalty, weights);
    const double least = penalised_loss(x, rows.labels, weights, penalty);
    EXPECT_LT(least, penalised_loss(x, rows.labels, Matrix::Zero(4, 4), penalty) - 20);
    for (Index i = 0; i < weights.rows(); ++i)
      for (Index k = 0; k < weights.cols(); ++k)
        for (const double step : {-0.05, 0.05}) {
          Matrix other = weights;
          other(i, k) += step;
          EXPECT_GT(penalised_loss(x, rows.labels, other, penalty), least) << i << " " << k << " " << step;
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
    double sum = 0;
    for (Index row = 0; row < z.rows(); ++row)
      sum += log_loss_of({z.row(row).data(), 3}, 1, rows.labels[static_cast<std::size_t>(row)]);
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
  EXPECT_NEAR(alone, best_inverse_temperature(fair, rows.labels, 1), 1e-3 * alone);
}

ClassModel fitted(const Table& table, Index classes, const std::string& effort, const std::string& split = "") {
  FitOptions options = without_probabilities(label_options("fixed"), classes);
  options.effort = effort;
  options.split = split;
  return ClassModel::fit(table, options, {}, one_thread);
}

// Rows whose logits are linear in x: trees alone need many steps for what two members know at once.
TEST(ClassPredictor, MembersTogetherBeatTreesAlone) {
  Random random(21);
  const auto rows = labelled_rows(1500, 4, random), fresh = labelled_rows(4000, 4, random);
  const auto loss = [&](const ClassModel& model) {
    return model.evaluate(fresh.table, std::array{0.9}, one_thread).probabilities[1].second;
  };
  const ClassModel pooled = fitted(rows.table, 4, "normal"), alone = fitted(rows.table, 4, "quick"),
                   shares = fitted(rows.table, 4, "normal", "0.6,0.1,0.1,0.2");
  EXPECT_LT(pooled.class_record().loss_with, pooled.class_record().loss_without - pooled.class_record().loss_error);
  const auto members = pooled.predictor_members();
  EXPECT_TRUE(std::any_of(members.begin(), members.end(), [](const auto& one) { return one.first != "boost"; }));
  for (const ClassModel* model : {&alone, &shares}) {
    ASSERT_EQ(model->predictor_members().size(), 1u);
    EXPECT_EQ(model->predictor_members().front(), std::pair(std::string("boost"), 1.0));
  }
  EXPECT_LT(loss(pooled), loss(alone) - 0.02);
  const ClassModel back = ClassModel::from_bytes(pooled.to_bytes());
  EXPECT_EQ(back.predictor_members(), members);
  EXPECT_TRUE(back.probabilities(fresh.table, one_thread) == pooled.probabilities(fresh.table, ExecutionContext{.threads = 2}));
}

TEST(ClassPredictor, DamagedPoolsAreErrors) {
  Random random(4);
  const auto rows = labelled_rows(300, 3, random);
  const ClassModel model = fitted(rows.table, 3, "normal");
  ASSERT_NE(model.predictor_members().front(), std::pair(std::string("boost"), 1.0));
  const std::string payload(unframe(model.to_bytes()));
  Random where(9);
  for (int again = 0; again < 300; ++again) {
    std::string damaged = payload;
    damaged[static_cast<std::size_t>(where.below(std::ssize(damaged)))] = static_cast<char>(where.below(256));
    try {
      (void)ClassModel::from_bytes(frame(damaged)).predict_sets(rows.table, std::array{0.9}, one_thread);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace taut
