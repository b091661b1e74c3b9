// The terms of an additive model, which are natural cubic splines.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Natural cubic splines: cubic between knots, with two continuous derivatives, and linear outside them.

// What all splines with the same knots share, two or more and ascending. A spline is given by its values at the knots.
class SplineKnots {
 public:
  explicit SplineKnots(std::vector<double> knots);

  Index size() const { return std::ssize(knots_); }
  const std::vector<double>& knots() const { return knots_; }
  // Second derivatives at the knots = this · values; 0 at both ends.
  const Eigen::MatrixXd& bends() const { return bends_; }
  // ∫ f''(x)² dx = values · roughness · values: 0 for straight lines and for nothing else.
  Eigen::MatrixXd roughness() const;
  // values = curves · c: a basis of what splines can do besides straight lines, for which the roughness is |c|².
  Eigen::MatrixXd curves() const;

 private:
  std::vector<double> knots_;
  Eigen::MatrixXd bends_;
};

// A spline as polynomials, quick to evaluate. Beyond `low` and `high` it stays what it is there.
class NaturalSpline {
 public:
  NaturalSpline(std::vector<double> knots, std::vector<double> values, double low, double high);

  double operator()(double x) const;

  const std::vector<double>& knots() const { return knots_; }
  const std::vector<double>& values() const { return values_; }
  double low() const { return low_; }
  double high() const { return high_; }
  // constant + d · (slope + d · (square + d · cube)), d = x − from: before the first knot, then from each knot on.
  struct Piece {
    double from, constant, slope, square, cube;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<double> knots_, values_;
  double low_, high_;
  std::vector<Piece> pieces_;
};

// The terms of an additive model: which columns take part, where their knots are, and what a row looks like to the regression.

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
