// The conformity score at one x, as a function of y.
#pragma once

#include <taut/calibrate/signed_score.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/transform/transform.hpp>

namespace taut {

// f + half_width, moved outward by what rounding may have lost: a y with |y − f| <= half_width in doubles is never above it.
double upper_end(double f, double half_width);
double lower_end(double f, double half_width);

// How far y lies from f(x), compared with what is usual by g(x) on that side of f. `below` and `above` are the parameters of the
// two sides, the same pointer where the sides share them.
struct RowScore {
  double f;
  double unit;  // of residuals
  const Transform& transform;
  const double* below;
  const double* above;

  double operator()(double y) const;
  SignedScore signed_at(double y) const;

  // The closed set {y : score <= q}. It is empty only when both sides are.
  Interval at_most(double q) const;
  // The same among the possible values of the target.
  Interval at_most(double q, const TargetRange& range) const;

  // sup{y : t(y) <= t} and inf{y : t(y) >= t}: no rounding moves them past the y that has this t. And the y that has it.
  double highest_at(const SignedScore& t) const;
  double lowest_at(const SignedScore& t) const;
  double value_at(const SignedScore& t) const;

 private:
  double toward_f(const SignedScore& t) const;
  double first_possible(const TargetRange& range) const;
};

}  // namespace taut
