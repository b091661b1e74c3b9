#include <taut/predict/ridge.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace taut {

namespace {

using Array = Eigen::ArrayXd;

// λ relative to the mean eigenvalue that can differ from zero.
constexpr double penalties[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
// A fit that leaves a smaller share of the degrees of freedom to the residuals cannot be judged by them.
constexpr double least_free_share = 0.05;

// In both forms z² = Λu², so that one formula serves for RSS.
struct Spectrum {
  const Array& values;  // Λ
  Array squares;        // z²/Λ = u²: how much of |y|² lies in this direction
  double rest;          // |y|² outside all directions
};

double residual_square(const Spectrum& spectrum, double penalty) {
  return spectrum.rest + (spectrum.squares * (penalty / (spectrum.values + penalty)).square()).sum();
}

double best_penalty(const Spectrum& spectrum, Index rows) {
  const double scale = spectrum.values.mean();
  const auto n = static_cast<double>(rows);
  double best = penalties[std::size(penalties) - 1] * scale;
  double least = infinity;
  for (const double relative : penalties) {
    const double penalty = relative * scale;
    const double freedom = n - 1 - (spectrum.values / (spectrum.values + penalty)).sum();
    if (freedom < least_free_share * n) continue;
    const double criterion = residual_square(spectrum, penalty) / (freedom * freedom);
    if (criterion < least) {
      least = criterion;
      best = penalty;
    }
  }
  return best;
}

}  // namespace

Eigen::VectorXd RidgeDirections::solution() const {
  if (!(penalty > 0)) return Eigen::VectorXd::Zero(vectors.rows());
  return vectors * (along / (values + penalty)).matrix();
}

RidgeDirections ridge_by_columns(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  RidgeDirections result{solver.eigenvectors(), solver.eigenvalues().array().max(0.0), {}};
  result.along = (result.vectors.transpose() * product).array();
  const double negligible = result.values.maxCoeff() * 1e-14 * static_cast<double>(gram.cols());
  const Array squares = (result.values > negligible).select(result.along.square() / result.values, 0.0);
  result.penalty = best_penalty({result.values, squares, std::max(0.0, square - squares.sum())}, rows);
  return result;
}

RidgeDirections ridge_by_rows(const Eigen::MatrixXd& gram, const Eigen::VectorXd& y) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  RidgeDirections result{solver.eigenvectors(), solver.eigenvalues().array().max(0.0), {}};
  result.along = (result.vectors.transpose() * y).array();
  result.penalty = best_penalty({result.values, result.along.square(), 0.0}, y.size());
  return result;
}

}  // namespace taut
