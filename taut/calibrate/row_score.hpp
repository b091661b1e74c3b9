// The conformity score: what is predicted for a row, how far y lies from it and on which side, and the score as a
// function of y.
#pragma once

#include <taut/calibrate/quantile_scale.hpp>
#include <taut/calibrate/score_scale.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <memory>
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
  std::vector<double> weight{};      // how much each row counts in training; empty: every row once

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
// 0.95-quantile, with f in their middle, or a predictive distribution, with f at its median and ends at 0.1 and 0.9.

struct RowPrediction {
  double f, lower, upper;
  double disagreement = 0;              // of the predictors whose mean is f; 0 if there is one
  std::span<const double> quantiles{};  // ascending, of a predictive distribution; owned by RowPredictions

  RowPrediction(double point) : f(point), lower(point), upper(point) {}  // NOLINT(google-explicit-constructor): usually only f
  // f is the double nearest to the midpoint.
  RowPrediction(double from, double to);
  RowPrediction(const QuantileLevels& levels, std::span<const double> ascending);

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
  // Distributions by their quantiles, a row for each, a column for each level. Rows whose quantiles fall somewhere are sorted;
  // crossed() counts these.
  RowPredictions(std::shared_ptr<const QuantileLevels> levels, Matrix quantiles);

  const std::vector<double>& f() const { return f_; }
  std::vector<double>&& take_f() && { return std::move(f_); }
  bool has_ends() const { return !lower_.empty(); }
  bool has_quantiles() const { return levels_ != nullptr; }
  const std::shared_ptr<const QuantileLevels>& levels() const { return levels_; }  // null without quantiles
  const Matrix& quantiles() const { return quantiles_; }
  Index crossed() const { return crossed_; }
  std::size_t size() const { return f_.size(); }
  RowPrediction operator[](std::size_t i) const {
    if (has_quantiles()) return {*levels_, row_of(quantiles_, static_cast<Index>(i))};
    RowPrediction one = has_ends() ? RowPrediction(lower_[i], upper_[i]) : RowPrediction(f_[i]);
    if (has_disagreement()) one.disagreement = disagreement_[i];
    return one;
  }
  bool has_disagreement() const { return !disagreement_.empty(); }
  const std::vector<double>& disagreement() const { return disagreement_; }
  void set_disagreement(std::vector<double> of_rows) { disagreement_ = std::move(of_rows); }
  // Those of some rows.
  RowPredictions at(RowsView rows) const;
  // Moves quantiles below `low` and above `high` to these.
  void hold_quantiles(double low, double high);

 private:
  static std::span<const double> row_of(const Matrix& all, Index row) {
    return {all.row(row).data(), static_cast<std::size_t>(all.cols())};
  }

  std::vector<double> f_, lower_, upper_;
  std::vector<double> disagreement_;  // by row, or empty
  std::shared_ptr<const QuantileLevels> levels_;
  Matrix quantiles_;
  Index crossed_ = 0;
};

// The scale on which the score of a row measures: a scale of the target, the same for all rows, or the log-odds of a distribution
// that is given for this row.
class RowScale {
 public:
  RowScale(ScoreScale common = {}) : common_(std::move(common)) {}  // NOLINT(google-explicit-constructor): usually this one
  RowScale(const QuantileScale& own) : own_(own) {}                 // NOLINT(google-explicit-constructor)

  bool is_identity() const { return !own_ && common_.is_identity(); }
  const std::optional<QuantileScale>& of_distribution() const { return own_; }
  // See ScoreScale.
  bool is_bounded() const { return !own_ && common_.is_bounded(); }
  double forward(double y) const { return own_ ? own_->forward(y) : common_.forward(y); }
  double centre(double f) const { return own_ ? own_->forward(f) : common_.centre(f); }
  double value(double z) const { return own_ ? own_->value(z) : common_.value(z); }
  double highest(double z) const { return own_ ? own_->highest(z) : common_.highest(z); }
  double lowest(double z) const { return own_ ? own_->lowest(z) : common_.lowest(z); }

 private:
  ScoreScale common_;
  std::optional<QuantileScale> own_;
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
  RowScale scale{};

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
