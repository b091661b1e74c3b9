#include <taut/task/label/logistic_ridge.hpp>

#include <taut/task/label/softmax.hpp>

#include <Eigen/Cholesky>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_steps = 200;
constexpr double enough = 1e-7;         // of the loss of a row: less than this a step cannot gain
constexpr double least_penalty = 1e-6;  // of b, relative to the rows: without any the matrix below may not be definite

}  // namespace

LogisticRidge::LogisticRidge(const MatrixF& x, std::vector<Index> labels, Index classes)
    : x_(x.rows(), x.cols() + 1), labels_(std::move(labels)), classes_(classes) {
  x_.leftCols(x.cols()) = x.cast<double>();
  x_.rightCols(1).setOnes();
  gram_ = Eigen::MatrixXd::Zero(x_.cols(), x_.cols());
  gram_.selfadjointView<Eigen::Lower>().rankUpdate(x_.transpose());
}

Matrix LogisticRidge::gradient(const Matrix& weights, double penalty) const {
  Matrix error = x_ * weights;
  const auto width = static_cast<std::size_t>(classes_);
  for (Index row = 0; row < error.rows(); ++row) {
    const std::span<double> own(error.row(row).data(), width);
    softmax(own, 1, own);
    own[static_cast<std::size_t>(labels_[static_cast<std::size_t>(row)])] -= 1;
  }
  Matrix result = x_.transpose() * error;
  result.topRows(weights.rows() - 1) += penalty * weights.topRows(weights.rows() - 1);
  return result;
}

// The Hessian of the loss is at most ½ XᵀX for each label (Böhning 1992), so that a step by the inverse of ½ XᵀX + λ never
// overshoots and one factorisation serves all steps. They are accelerated as Nesterov's are, and begin anew when they turn back
// (O'Donoghue and Candès 2015).
void LogisticRidge::minimise(double penalty, Matrix& weights) const {
  const auto rows = static_cast<double>(x_.rows());
  Eigen::MatrixXd bound = 0.5 * gram_;
  bound.diagonal().array() += penalty;
  bound(bound.rows() - 1, bound.rows() - 1) += least_penalty * rows - penalty;
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(bound);
  Matrix ahead = weights;
  double momentum = 1;
  for (Index step = 0; step < most_steps; ++step) {
    const Matrix slope = gradient(ahead, penalty);
    const Matrix move = factor.solve(slope);
    const Matrix next = ahead - move;
    const Matrix moved = next - weights;
    weights = next;
    if (slope.cwiseProduct(move).sum() < enough * rows) return;
    if (slope.cwiseProduct(moved).sum() > 0) {
      momentum = 1;
      ahead = weights;
      continue;
    }
    const double later = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    ahead = weights + ((momentum - 1) / later) * moved;
    momentum = later;
  }
}

}  // namespace taut
