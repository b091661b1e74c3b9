// The terms of an additive model: which columns take part, where their knots are, and what a row looks like to the regression.
#pragma once

#include <taut/core/types.hpp>
#include <taut/predict/natural_spline.hpp>

#include <span>
#include <vector>

namespace taut {

// One column. It has a straight part, of which there is one regressor, and curves, of which there are as many as inner knots.
struct AdditiveTerm {
  Index column;
  bool is_indicator;  // it has two values
  double low, high;   // beyond, its effect stays the same: a line through an outlier tells nothing
  SplineKnots knots;
  Eigen::MatrixXd curves;  // at the knots
  Eigen::MatrixXd bends;   // their second derivatives there
  double scale = 1;        // of the curves, so that their mean square is 1

  Index size() const { return 1 + curves.cols(); }
  void put(double x, double* out) const;  // size() numbers
};

// Terms of all columns that vary. With too many of them for `most` regressors the columns with the largest effects are kept, and
// curves are for those that gain most by them. `x` are rows to learn from, with their targets.
std::vector<AdditiveTerm> additive_terms(const MatrixF& x, std::span<const double> y, Index most, int threads);

}  // namespace taut
