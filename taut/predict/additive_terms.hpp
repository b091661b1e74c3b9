// The terms of an additive model, which are natural cubic splines.
#pragma once

#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Natural cubic splines: cubic between knots, with two continuous derivatives, and linear outside them.

// The knots of a spline, two or more and ascending, and the matrices that depend on them only. A spline is given by its values at
// the knots.
class SplineKnots {
 public:
  explicit SplineKnots(std::vector<double> knots);

  Index size() const { return std::ssize(knots_); }
  const std::vector<double>& knots() const { return knots_; }
  // Second derivatives at the knots = bends · values; 0 at both ends.
  const Eigen::MatrixXd& bends() const { return bends_; }
  // ∫ f''(x)² dx = values · roughness · values: 0 for straight lines only.
  Eigen::MatrixXd roughness() const;
  // values = curves · c: a basis of the splines modulo straight lines, scaled so that the roughness is |c|².
  Eigen::MatrixXd curves() const;

 private:
  std::vector<double> knots_;
  Eigen::MatrixXd bends_;
};

// A spline as polynomials, quick to evaluate. It is constant below `low` and above `high`.
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

// The terms of an additive model: the columns used, their knots, and the regressors of a row.

// The term of one column: one regressor for its slope and one for each inner knot (the curves).
struct AdditiveTerm {
  Index column;
  bool is_indicator;  // the column has two values
  double low, high;   // the effect is constant beyond these: extrapolating to outliers is not reliable
  SplineKnots knots;
  Eigen::MatrixXd curves;  // at the knots
  Eigen::MatrixXd bends;   // their second derivatives there
  double scale = 1;        // factor of the curves that makes their mean variance 1

  Index size() const { return 1 + curves.cols(); }
  void put(double x, double* out) const;  // writes size() regressors
};

// Terms of all columns that vary, with at most `maximum` regressors in all. If that is too few, the columns with the largest
// effects are kept, and only those that gain most get curves. `x`, `y` and `weights` are of the training rows.
std::vector<AdditiveTerm> additive_terms(const MatrixF& x, std::span<const double> y, Index maximum, int threads,
                                         RowWeights weights = {});

}  // namespace taut
