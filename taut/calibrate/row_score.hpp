// The conformity score: what is predicted for a row, how far y lies from it and on which side, and the score as a
// function of y.
#pragma once

#include <taut/calibrate/score_scale.hpp>
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

// The distance of y from f, and its side: the inputs of a conformity score.

// On which side of f the target lies. With two sides each end of an interval has a separate scale.
enum class Side : std::uint8_t { below = 0, above = 1 };

inline Side side_of(double f, double y) { return y < f ? Side::below : Side::above; }

// Residuals of many rows, in units of `unit`, each with its side: what transformations are trained and calibrated on.
struct Residuals {
  std::vector<double> size;  // |y − f| / unit
  std::vector<Side> side;
  std::vector<double> half_width{};  // predicted for each row, in the same unit; empty if only f was predicted

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

// The prediction for a row before calibration: one number f, or the two ends of an interval, such as the 0.05- and the
// 0.95-quantile, with f in their middle.

struct RowPrediction {
  double f, lower, upper;

  RowPrediction(double point) : f(point), lower(point), upper(point) {}  // NOLINT(google-explicit-constructor): usually only f
  // f is the double nearest to the midpoint.
  RowPrediction(double from, double to);

  // The distance of y beyond the nearer end; negative between the ends. Without ends this is |y − f|. It falls up to f and rises
  // from there, in floating point too.
  double beyond(double y) const { return std::max(lower - y, y - upper); }
  // The smallest distance, at f.
  double minimum() const { return beyond(f); }
  double half_width() const { return upper / 2 - lower / 2; }
};

// Predictions of many rows.
class RowPredictions {
 public:
  RowPredictions() = default;
  explicit RowPredictions(std::vector<double> f) : f_(std::move(f)) {}
  // If a lower end lies above the upper one, the two are exchanged; crossed() counts these rows.
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

// from + reach, rounded outward: no y with y − from <= reach in floating point lies above it.
double upper_end(double from, double reach);
double lower_end(double from, double reach);

// The distance of y from the prediction at x on the scale of the score, relative to the typical distance by g(x) on that side of
// f. `below` and `above` are the parameters of the two sides, the same pointer if the sides share them. All functions take and
// return y itself, unless they say otherwise.
struct RowScore {
  RowPrediction predicted;  // on the scale of the score
  double unit;              // of residuals, on the scale of the score
  const Transform& transform;
  const double* below;
  const double* above;
  std::optional<double> reported{};  // the prediction, if the score has another centre or another scale
  ScoreScale scale{};

  double operator()(double y) const { return at_scaled(scale.forward(y)); }
  SignedScore signed_at(double y) const { return signed_at_scaled(scale.forward(y)); }
  // The score of the prediction plus the error that another prediction has at y; errors are on the scale of the score.
  SignedScore signed_at_error(double y, double other_prediction) const;

  // The closed set {y : score <= q}. It is empty only when both sides are.
  Interval at_most(double q) const;
  // The same among the possible values of the target.
  Interval at_most(double q, const TargetRange& range) const;

  // sup{y : t(y) <= t} and inf{y : t(y) >= t}, rounded such that they never exclude the y with this t; and that y itself.
  double highest_at(const SignedScore& t) const;
  double lowest_at(const SignedScore& t) const;
  double value_at(const SignedScore& t) const { return scale.value(scaled_at(t)); }

  double f() const { return scale.value(predicted.f); }  // the centre, from which distances are measured
  double prediction() const { return reported ? *reported : f(); }

  // For streams, on the scale of the score: the error of the centre at y, the mean reach of {y : score <= q} to both sides, and
  // the same score about the centre plus `shift`. Both ends and the reported prediction move too.
  double error_at(double y) const { return scale.forward(y) - predicted.f; }
  double mean_reach(double q) const { return scaled_at_most(q).width() / 2; }
  RowScore moved_by(double shift) const;

 private:
  // These are on the scale of the score.
  double at_scaled(double z) const;
  SignedScore signed_at_scaled(double z) const { return {side_of(predicted.f, z), at_scaled(z)}; }
  double scaled_at(const SignedScore& t) const;
  Interval scaled_at_most(double q) const;
  // How far the set {score <= q} extends beyond the predicted end of a side; nothing if it contains no value of that side.
  std::optional<double> reach(double q, const double* g) const;
  // The end of a side with this reach; the centre if the set contains no value of that side.
  double upper_of(const std::optional<double>& reach) const;
  double lower_of(const std::optional<double>& reach) const;
  double toward_centre(const SignedScore& t) const;
  // The lower end in y of a set with scores up to q that ends at z.
  double lowest_of(double q, double z) const;

  double first_possible(const TargetRange& range) const;
};

}  // namespace taut
