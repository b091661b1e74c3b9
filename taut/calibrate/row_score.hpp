// The conformity score at one x, as a function of y.
#pragma once

#include <taut/calibrate/row_prediction.hpp>
#include <taut/calibrate/signed_score.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/transform/transform.hpp>

#include <optional>

namespace taut {

// from + reach, moved outward by what rounding may have lost: a y with y − from <= reach in doubles is never above it.
double upper_end(double from, double reach);
double lower_end(double from, double reach);

// How far y lies from what is predicted at x, compared with what is usual by g(x) on that side of f. `below` and `above` are the
// parameters of the two sides, the same pointer where the sides share them.
struct RowScore {
  RowPrediction predicted;
  double unit;  // of residuals
  const Transform& transform;
  const double* below;
  const double* above;
  std::optional<double> reported{};  // the prediction where the score has another centre

  // The same about another f: both ends and what is reported move with it.
  RowScore moved_by(double shift) const;

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

  double f() const { return predicted.f; }  // the centre, from which distances are measured
  double prediction() const { return reported.value_or(predicted.f); }

 private:
  // How far the set {y : score <= q} reaches beyond the predicted end of a side; nothing where no y of that side is in it.
  std::optional<double> reach(double q, const double* g) const;
  // Where a side that reaches so far ends; f where nothing of it is in the set.
  double upper_of(const std::optional<double>& reach) const;
  double lower_of(const std::optional<double>& reach) const;
  double toward_f(const SignedScore& t) const;
  double first_possible(const TargetRange& range) const;
};

}  // namespace taut
