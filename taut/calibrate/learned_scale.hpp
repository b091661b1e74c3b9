// A scale of the score that is learned from residuals: piecewise linear, steep where errors are small.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <optional>
#include <span>
#include <vector>

namespace taut {

// T with T'(v) = 1/s(v), where s(v) is the mean absolute residual of rows whose f is near v, relative to that of all rows. On
// this scale residuals have about the same size everywhere, so widths in y follow f although g does not see it: the ends T⁻¹(T(f)
// ± width) keep the order of f. T is the identity up to a shift where all errors have the same size.
class LearnedScale {
 public:
  // From rows that f has not seen. Returns nothing with too few rows, or if f or y hardly vary.
  static std::optional<LearnedScale> of(std::span<const double> f, std::span<const double> y, RowWeights weights = {});

  double forward(double y) const;
  double value(double z) const;  // T⁻¹
  // A bound, in y, of the rounding errors of forward() and value() at z, of which the result is y.
  double error_at(double y, double z) const;

  // The knots, T there, and the slopes before the first knot and after each.
  const std::vector<double>& knots() const { return knots_; }
  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& slopes() const { return slopes_; }
  // error_at() is base + of_y · |y| + of_z · |z|.
  struct ErrorBound {
    double base = 0, of_y = 0, of_z = 0;
  };
  const ErrorBound& bound() const { return bound_; }

  void save(Archive archive) const;
  static LearnedScale load(const Archive& archive);

 private:
  LearnedScale(std::vector<double> knots, std::vector<double> slopes);

  std::vector<double> knots_, values_, slopes_;
  ErrorBound bound_;
};

}  // namespace taut
