#include <taut/task/label/logit_weights.hpp>

#include <taut/task/label/softmax.hpp>
#include <taut/task/label/temperature.hpp>
#include <taut/core/is_lower_loss.hpp>
#include <taut/core/threads.hpp>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_newton_steps = 50;
constexpr Index rows_at_once = 1 << 12;

// Sums over rows of the loss, its gradient Σ_k (p_k − [y = k]) z_jk and its curvature, the covariance of z_j and z_l under p.
// Doubt d puts (1 − d) [y = k] + d / K in the place of [y = k].
struct LossSums {
  double loss = 0;
  Eigen::VectorXd slope;
  Eigen::MatrixXd curvature;
};

LossSums sums_of(const std::vector<const Matrix*>& members, std::span<const Index> labels, const Eigen::VectorXd& weights,
                 Index begin, Index end) {
  const Index count = std::ssize(members), classes = members.front()->cols();
  const double doubt = doubt_of(members.front()->rows());
  LossSums sums{0, Eigen::VectorXd::Zero(count), Eigen::MatrixXd::Zero(count, count)};
  Matrix z(count, classes);
  Eigen::RowVectorXd pooled(classes), p(classes);
  for (Index row = begin; row < end; ++row) {
    for (Index j = 0; j < count; ++j) z.row(j) = members[static_cast<std::size_t>(j)]->row(row);
    pooled = weights.transpose() * z;
    const Index label = labels[static_cast<std::size_t>(row)];
    const std::span<const double> own(pooled.data(), static_cast<std::size_t>(classes));
    sums.loss += log_loss_of(own, 1, label) + doubt * (pooled[label] - pooled.mean());
    softmax(own, 1, {p.data(), own.size()});
    const Eigen::VectorXd mean = z * p.transpose();
    sums.slope += mean - z.col(label) + doubt * (z.col(label) - z.rowwise().mean());
    sums.curvature += z * p.asDiagonal() * z.transpose() - mean * mean.transpose();
  }
  return sums;
}

LossSums sums_of_all(const std::vector<const Matrix*>& members, std::span<const Index> labels, const Eigen::VectorXd& weights,
                     int threads) {
  const Index rows = members.front()->rows(), blocks = (rows + rows_at_once - 1) / rows_at_once;
  std::vector<LossSums> parts(static_cast<std::size_t>(blocks));
  parallel_blocks(blocks, 1, threads, [&](Index block, Index) {
    parts[static_cast<std::size_t>(block)] =
        sums_of(members, labels, weights, block * rows_at_once, std::min(rows, (block + 1) * rows_at_once));
  });
  LossSums all = std::move(parts.front());
  for (std::size_t block = 1; block < parts.size(); ++block) {
    all.loss += parts[block].loss;
    all.slope += parts[block].slope;
    all.curvature += parts[block].curvature;
  }
  return all;
}

// Newton's step over the weights that may move: one at 0 that wants to fall stays.
Eigen::VectorXd step_of(const LossSums& now, const Eigen::VectorXd& weights) {
  Eigen::MatrixXd curvature = now.curvature;
  Eigen::VectorXd slope = now.slope;
  const double little = 1e-9 * std::max(1.0, curvature.trace());
  curvature.diagonal().array() += little;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights[j] > 0 || slope[j] < 0) continue;
    curvature.row(j).setZero();
    curvature.col(j).setZero();
    curvature(j, j) = 1;
    slope[j] = 0;
  }
  return -curvature.ldlt().solve(slope);
}

}  // namespace

std::vector<double> logit_weights(const std::vector<const Matrix*>& members, std::span<const Index> labels, int threads) {
  const Index count = std::ssize(members);
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(count, 1 / static_cast<double>(count));
  LossSums now = sums_of_all(members, labels, weights, threads);
  for (Index step = 0; step < most_newton_steps; ++step) {
    const Eigen::VectorXd move = step_of(now, weights);
    double share = 1;
    bool moved = false;
    for (; share > 1e-4 && !moved; share /= 2) {
      const Eigen::VectorXd next = (weights + share * move).cwiseMax(0);
      LossSums there = sums_of_all(members, labels, next, threads);
      if (!is_lower_loss(there.loss, now.loss - 1e-10 * std::abs(now.loss))) continue;
      weights = next;
      now = std::move(there);
      moved = true;
    }
    if (!moved) break;
  }
  return {weights.begin(), weights.end()};
}

Matrix weighted_logits(const std::vector<const Matrix*>& members, std::span<const double> weights) {
  Matrix sum;
  for (std::size_t j = 0; j < members.size(); ++j) {
    if (weights[j] == 0) continue;
    if (sum.size() == 0)
      sum = weights[j] * *members[j];
    else
      sum += weights[j] * *members[j];
  }
  return sum;
}

}  // namespace taut
