// The elastic net by coordinate descent: w = argmin |y − Xw|²/2n + λ(α|w|₁ + (1 − α)|w|²/2) for a falling sequence of λ, each
// solution the start of the next one.
//
// A problem has size(), the number of columns; slope(j) = x_j·(y − Xw)/n at its present w; square(j) = |x_j|²/n; and move(j, d),
// which adds d to w_j. There are two, for many rows and for many columns.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut {

// From XᵀX/n and Xᵀy/n: the number of rows no longer matters.
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

// From the rows themselves, for more columns than rows.
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
  // `tolerance`: sweeps end when none moves the predictions by more than the root of this, in the mean over rows.
  ElasticDescent(Problem problem, double mixing, double tolerance)
      : problem_(std::move(problem)),
        mixing_(mixing),
        tolerance_(tolerance),
        weights_(Eigen::VectorXd::Zero(problem_.size())),
        is_candidate_(static_cast<std::size_t>(problem_.size())) {}

  const Eigen::VectorXd& weights() const { return weights_; }
  const std::vector<Index>& candidates() const { return candidates_; }  // all others have no weight

  // Tibshirani's strong rule: columns whose slope at the last λ was below α(2λ − last λ) rarely have a weight. They are looked at
  // when the others are done, and those that should have one join in.
  void solve(double penalty) {
    admit(mixing_ * std::max(0.0, last_ > 0 ? 2 * penalty - last_ : penalty));
    do descend(penalty);
    while (admit(mixing_ * penalty * (1 + 1e-6)));
    last_ = penalty;
  }

 private:
  static constexpr int most_sweeps = 1000;

  bool admit(double least_slope) {
    const std::size_t before = candidates_.size();
    for (Index j = 0; j < problem_.size(); ++j) {
      if (is_candidate_[static_cast<std::size_t>(j)] || !(problem_.square(j) > 0)) continue;
      if (std::abs(problem_.slope(j)) < least_slope) continue;
      is_candidate_[static_cast<std::size_t>(j)] = true;
      candidates_.push_back(j);
    }
    return candidates_.size() > before;
  }

  // Sweeps over all candidates, and between them over those that have a weight.
  void descend(double penalty) {
    for (int sweeps = 0; sweeps < most_sweeps; ++sweeps) {
      if (!sweep(candidates_, penalty)) return;
      active_.clear();
      for (const Index j : candidates_)
        if (weights_[j] != 0) active_.push_back(j);
      while (sweeps < most_sweeps && sweep(active_, penalty)) ++sweeps;
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
  double last_ = 0;  // λ; 0 before the first
};

}  // namespace taut
