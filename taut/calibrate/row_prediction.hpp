// What is predicted for a row before anything is calibrated: one number f, or the two ends of an interval, such as the 0.05- and
// the 0.95-quantile, with f in their middle.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace taut {

struct RowPrediction {
  double f, lower, upper;

  RowPrediction(double point) : f(point), lower(point), upper(point) {}  // NOLINT(google-explicit-constructor): mostly f is all
  // The middle is the double nearest to it: no double lies between the two.
  RowPrediction(double from, double to);

  // How far y lies beyond the nearer end; negative where it lies between them. Without ends this is |y − f|. It falls up to f and
  // rises from there, bit by bit.
  double beyond(double y) const { return std::max(lower - y, y - upper); }
  // At f, where it is least.
  double least() const { return beyond(f); }
  double half_width() const { return upper / 2 - lower / 2; }
};

// Those of many rows.
class RowPredictions {
 public:
  RowPredictions() = default;
  explicit RowPredictions(std::vector<double> f) : f_(std::move(f)) {}
  // Where the lower end lies above the upper one the two are exchanged; crossed() counts these rows.
  RowPredictions(std::vector<double> lower, std::vector<double> upper);

  const std::vector<double>& f() const { return f_; }
  std::vector<double>&& take_f() && { return std::move(f_); }
  bool has_ends() const { return !lower_.empty(); }
  Index crossed() const { return crossed_; }
  std::size_t size() const { return f_.size(); }
  RowPrediction operator[](std::size_t i) const {
    return has_ends() ? RowPrediction(lower_[i], upper_[i]) : RowPrediction(f_[i]);
  }

 private:
  std::vector<double> f_, lower_, upper_;
  Index crossed_ = 0;
};

}  // namespace taut
