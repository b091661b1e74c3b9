#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/linear.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace taut {
namespace {

MatrixF random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

struct Fitted {
  double intercept;
  Eigen::VectorXd weights;
};

Fitted fit(const MatrixF& x, const Eigen::VectorXd& y) {
  auto linear = predictors().make("linear");
  linear->fit(x, all_rows(x.rows()), std::span<const double>(y.data(), static_cast<std::size_t>(y.size())), {},
              taut::ExecutionContext{.threads = 1});
  Archive archive;
  linear->save(archive);
  const auto& weights = archive.get<std::vector<double>>("weights");
  return {archive.number("intercept"), Eigen::Map<const Eigen::VectorXd>(weights.data(), std::ssize(weights))};
}

// Ridge in closed form and the penalty by generalised cross-validation, all by dense algebra.
Fitted closed_form(const MatrixF& x_float, const Eigen::VectorXd& y) {
  const Eigen::MatrixXd x = x_float.cast<double>();
  const Eigen::RowVectorXd centre = x.colwise().mean();
  const Eigen::MatrixXd centred = x.rowwise() - centre;
  const Eigen::VectorXd deviation = y.array() - y.mean();
  const double scale = centred.squaredNorm() / static_cast<double>(std::min(x.rows(), x.cols()));
  const auto n = static_cast<double>(x.rows());
  double minimum = infinity;
  Eigen::VectorXd best;
  for (int power = -8; power <= 1; ++power) {
    const Eigen::MatrixXd ridge =
        centred.transpose() * centred + std::pow(10.0, power) * scale * Eigen::MatrixXd::Identity(x.cols(), x.cols());
    const Eigen::MatrixXd solution = ridge.fullPivLu().solve(centred.transpose());
    const Eigen::VectorXd weights = solution * deviation;
    const double freedom = n - 1 - (centred * solution).trace();
    const double criterion = (deviation - centred * weights).squaredNorm() / (freedom * freedom);
    if (freedom < 0.05 * n || criterion >= minimum) continue;
    minimum = criterion;
    best = weights;
  }
  return {y.mean() - centre.dot(best), best};
}

void expect_closed_form(const MatrixF& x, const Eigen::VectorXd& y) {
  const Fitted got = fit(x, y), expected = closed_form(x, y);
  EXPECT_NEAR(got.intercept, expected.intercept, 1e-6);
  EXPECT_LT((got.weights - expected.weights).norm(), 1e-6 * (1 + expected.weights.norm()));
}

Eigen::VectorXd noisy_target(const MatrixF& x, double noise) {
  Random random(8);
  Eigen::VectorXd y(x.rows());
  for (Index r = 0; r < x.rows(); ++r)
    y[r] = 1.5 + static_cast<double>(x(r, 0)) - 2 * static_cast<double>(x(r, x.cols() - 1)) + noise * random.normal();
  return y;
}

TEST(Linear, IsRidgeRegressionInClosedForm) {
  for (const double noise : {0.01, 1.0, 10.0}) {
    const MatrixF x = random_matrix(60, 5, 1);
    expect_closed_form(x, noisy_target(x, noise));
  }
}

TEST(Linear, WithMoreColumnsThanRowsToo) {
  for (const Index columns : {29, 30, 31, 90}) {
    const MatrixF x = random_matrix(30, columns, 1);
    expect_closed_form(x, noisy_target(x, 0.5));
  }
}

// With many columns there is no eigendecomposition. The penalty must still be the best of the list.
TEST(Linear, WithManyColumnsTheBestPenaltyToo) {
  constexpr Index rows = 520, columns = 410;
  for (const double noise : {0.1, 3.0}) {
    const Eigen::MatrixXd x = random_matrix(rows, columns, 1).cast<double>();
    const Eigen::VectorXd y = noisy_target(x.cast<float>(), noise);
    const Eigen::MatrixXd gram = x.transpose() * x;
    const Eigen::VectorXd product = x.transpose() * y;
    const Ridge found = ridge_by_columns(gram, product, y.squaredNorm(), rows);
    EXPECT_LT((gram * found.solution + found.penalty * found.solution - product).norm(), 1e-8 * product.norm());
    const SymmetricEigen eigen = symmetric_eigen(gram);
    const Eigen::ArrayXd values = eigen.values.array(), along = (eigen.vectors.transpose() * product).array();
    double minimum = infinity, best = 0;
    for (int power = -8; power <= 1; ++power) {
      const double penalty = std::pow(10.0, power) * values.mean();
      const Eigen::ArrayXd w = along / (values + penalty);
      const double rest = y.squaredNorm() - 2 * (w * along).sum() + (w.square() * values).sum();
      const double freedom = rows - 1 - (values / (values + penalty)).sum();
      if (freedom < 0.05 * rows || rest / (freedom * freedom) >= minimum) continue;
      minimum = rest / (freedom * freedom);
      best = penalty;
    }
    EXPECT_NEAR(found.penalty / best, 1, 1e-9) << noise;
  }
}

TEST(Linear, FindsAnExactLine) {
  const MatrixF x = random_matrix(3000, 3, 1);
  const Fitted got = fit(x, noisy_target(x, 0));
  EXPECT_NEAR(got.intercept, 1.5, 1e-6);
  EXPECT_NEAR(got.weights[0], 1, 1e-6);
  EXPECT_NEAR(got.weights[1], 0, 1e-6);
  EXPECT_NEAR(got.weights[2], -2, 1e-6);
}

// An exact collinearity, c = a + b, and a constant column: the weights stay small and the predictions right.
TEST(Linear, CollinearAndConstantColumnsDoNoHarm) {
  MatrixF x = random_matrix(400, 4, 1);
  x.col(2) = x.col(0) + x.col(1);
  x.col(3).setZero();
  Eigen::VectorXd y(400);
  for (Index r = 0; r < 400; ++r) y[r] = 3 * static_cast<double>(x(r, 2));
  const Fitted got = fit(x, y);
  EXPECT_LT(got.weights.norm(), 3.1);
  EXPECT_EQ(got.weights[3], 0);
  EXPECT_LT((x.cast<double>() * got.weights - y).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Linear, ADamagedFileIsRefused) {
  const auto load = [](double intercept, const std::vector<double>& weights) {
    Archive archive;
    archive.put("intercept", intercept);
    archive.put("weights", weights);
    predictors().make("linear")->load(archive, 2);
  };
  EXPECT_NO_THROW(load(0, {1, 2}));
  EXPECT_THROW(load(0, {1}), Error);
  EXPECT_THROW(load(0, {1, infinity}), Error);
  EXPECT_THROW(load(missing, {1, 2}), Error);
}

}  // namespace
}  // namespace taut
