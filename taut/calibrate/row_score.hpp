// The conformity score: what is predicted for a row, how far y lies from it and on which side, and the score as a
// function of y.
#pragma once

#include <taut/calibrate/target_range.hpp>
#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <utility>
#include <vector>

namespace taut {

// How far y lies from f, and on which side: all that a conformity score is made of.

// On which side of f the target lies. With two sides each end of an interval has a scale of its own.
enum class Side : std::uint8_t { below = 0, above = 1 };

inline Side side_of(double f, double y) { return y < f ? Side::below : Side::above; }

// Residuals of many rows, in units of `unit`, each with its side: what transformations are trained and calibrated on.
struct Residuals {
  std::vector<double> size;  // |y − f| / unit
  std::vector<Side> side;
  std::vector<double> half_width{};  // that was predicted for each row, in the same unit; empty where f is all that was

  Index rows() const { return static_cast<Index>(size.size()); }
};

Residuals residuals(std::span<const double> f, std::span<const double> y, double unit = 1);

// The residuals of some rows only.
Residuals pick(const Residuals& all, RowsView rows);

// t(y; x): how far y lies from f(x) and on which side, as one strictly increasing function of y.

// Scores of one side are ordered by size: outward from f above it, inward to f below it. Everything below f comes first. For a
// scale family this is the order of (y − f) / s_side, without the loss of digits that a signed logarithm would bring.
struct SignedScore {
  Side side;
  double score;

  friend std::partial_ordering operator<=>(const SignedScore& a, const SignedScore& b) {
    if (a.side != b.side) return a.side <=> b.side;
    return a.side == Side::below ? b.score <=> a.score : a.score <=> b.score;
  }
  friend bool operator==(const SignedScore&, const SignedScore&) = default;
};

// What is predicted for a row before anything is calibrated: one number f, or the two ends of an interval, such as the 0.05- and
// the 0.95-quantile, with f in their middle.

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

// The conformity score at one x, as a function of y.

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
