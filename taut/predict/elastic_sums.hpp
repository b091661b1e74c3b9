// The elastic net: the sums that it is computed from, and coordinate descent.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace taut {

// The inputs used, each centred and divided by its scale. The scale is the standard deviation, or half the distance of the two
// values of an indicator column. An indicator of a category with few rows then has a small variance and is shrunk toward the
// mean more than one with many rows; with variance 1 all would be shrunk alike.
struct ElasticColumns {
  std::vector<Index> columns;
  Eigen::VectorXd centre, scale;  // in the order of `columns`

  // Uses at most `maximum` columns, those with the largest covariance with y. Constant columns are never used.
  ElasticColumns(const MatrixF& x, std::span<const double> y, RowWeights weights, Index maximum);

  Index size() const { return std::ssize(columns); }
  Eigen::MatrixXd of_rows(const MatrixF& x, RowsView rows) const;
};

// Sums over rows, each with its weight. The sums of a subset can be subtracted from them.
struct ElasticSums {
  double rows = 0, y = 0, y_square = 0;
  Eigen::VectorXd x, product;  // Σ x, Σ x y
  Eigen::MatrixXd gram;        // Σ x xᵀ

  ElasticSums(const ElasticColumns& columns, const MatrixF& inputs, RowsView rows, std::span<const double> targets,
              RowWeights weights);
  void add(const ElasticSums& other, double sign);

  // The same sums after subtracting the means of these rows.
  Eigen::MatrixXd centred_gram() const { return gram - x * x.transpose() / rows; }
  Eigen::VectorXd centred_product() const { return product - x * (y / rows); }
  double centred_square() const { return y_square - y * y / rows; }
  // Σ (y − b − w·x)², w zero except for the columns `used`.
  double square_error(double b, const Eigen::VectorXd& w, const std::vector<Index>& used) const;
};

// The elastic net by coordinate descent: w = argmin |y − Xw|²/2n + λ(α|w|₁ + (1 − α)|w|²/2) for a decreasing sequence of λ. Each
// solution is the start of the next one.
//
// A problem has size(), the number of columns; slope(j) = x_j·(y − Xw)/n at the current w; square(j) = |x_j|²/n; and move(j, d),
// which adds d to w_j. There are two problem classes, for many rows and for many columns.

// Uses XᵀX/n and Xᵀy/n, so the cost of a step does not depend on the number of rows.
class GramProblem {
 public:
  GramProblem(const Eigen::MatrixXd& gram, Eigen::VectorXd product) : gram_(gram), slopes_(std::move(product)) {}

  Index size() const { return slopes_.size(); }
  double slope(Index j) const { return slopes_[j]; }
  double square(Index j) const { return gram_(j, j); }
  void move(Index j, double step) { slopes_ -= step * gram_.col(j); }

 private:
  const Eigen::MatrixXd& gram_;
  Eigen::VectorXd slopes_;
};

// Uses the rows themselves, for more columns than rows.
class RowsProblem {
 public:
  RowsProblem(const Eigen::MatrixXd& x, Eigen::VectorXd y)
      : x_(x), rest_(std::move(y)), squares_(x.colwise().squaredNorm().transpose() / static_cast<double>(x.rows())) {}

  Index size() const { return x_.cols(); }
  double slope(Index j) const { return x_.col(j).dot(rest_) / static_cast<double>(x_.rows()); }
  double square(Index j) const { return squares_[j]; }
  void move(Index j, double step) { rest_ -= step * x_.col(j); }

 private:
  const Eigen::MatrixXd& x_;
  Eigen::VectorXd rest_;  // y − Xw
  Eigen::VectorXd squares_;
};

template <class Problem>
class ElasticDescent {
 public:
  // Sweeps end when no step changes the predictions by more than `tolerance`, as a mean square over rows.
  ElasticDescent(Problem problem, double mixing, double tolerance)
      : problem_(std::move(problem)),
        mixing_(mixing),
        tolerance_(tolerance),
        weights_(Eigen::VectorXd::Zero(problem_.size())),
        is_candidate_(static_cast<std::size_t>(problem_.size())) {}

  const Eigen::VectorXd& weights() const { return weights_; }
  const std::vector<Index>& candidates() const { return candidates_; }  // the weights of all other columns are 0

  // Tibshirani's strong rule: columns whose slope at the last λ was below α(2λ − last λ) rarely have a non-zero weight. They are
  // checked after the other columns have converged, and those that violate the optimality conditions are added.
  void solve(double penalty) {
    admit(mixing_ * std::max(0.0, last_ > 0 ? 2 * penalty - last_ : penalty));
    do descend(penalty);
    while (admit(mixing_ * penalty * (1 + 1e-6)));
    last_ = penalty;
  }

 private:
  static constexpr int max_sweeps = 1000;

  bool admit(double min_slope) {
    const std::size_t before = candidates_.size();
    for (Index j = 0; j < problem_.size(); ++j) {
      if (is_candidate_[static_cast<std::size_t>(j)] || !(problem_.square(j) > 0)) continue;
      if (std::abs(problem_.slope(j)) < min_slope) continue;
      is_candidate_[static_cast<std::size_t>(j)] = true;
      candidates_.push_back(j);
    }
    return candidates_.size() > before;
  }

  // Sweeps over all candidates, and between these sweeps over the candidates with a non-zero weight.
  void descend(double penalty) {
    for (int sweeps = 0; sweeps < max_sweeps; ++sweeps) {
      if (!sweep(candidates_, penalty)) return;
      active_.clear();
      for (const Index j : candidates_)
        if (weights_[j] != 0) active_.push_back(j);
      while (sweeps < max_sweeps && sweep(active_, penalty)) ++sweeps;
    }
  }

  bool sweep(const std::vector<Index>& columns, double penalty) {
    double moved = 0;
    for (const Index j : columns) {
      const double square = problem_.square(j), along = problem_.slope(j) + square * weights_[j];
      const double shrunk = std::max(0.0, std::abs(along) - mixing_ * penalty);
      const double weight = std::copysign(shrunk, along) / (square + (1 - mixing_) * penalty);
      const double step = weight - weights_[j];
      if (step == 0) continue;
      problem_.move(j, step);
      weights_[j] = weight;
      moved = std::max(moved, step * step * square);
    }
    return moved > tolerance_;
  }

  Problem problem_;
  double mixing_;
  double tolerance_;
  Eigen::VectorXd weights_;
  std::vector<char> is_candidate_;
  std::vector<Index> candidates_, active_;
  double last_ = 0;  // the previous λ; 0 before the first
};

}  // namespace taut
