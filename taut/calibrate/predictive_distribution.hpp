// The predictive distribution of y at one x, from which every question is answered, and its CRPS.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/score_distribution.hpp>

namespace taut {

// The continuous ranked probability score ∫ (F(v) − 1{y <= v})² dv of distributions with equal steps: mean |v − y| − ½ mean |v −
// v'|.

// Equal steps at the values `ascending`; NaN if there are none.
double crps_of_sorted(std::span<const double> ascending, double y);
// The same with steps of heights `weights`, which need not sum to 1.
double crps_of_weighted(std::span<const double> ascending, std::span<const double> weights, double y);

// The same for many rows, if φ is equivalent to a scale, scores measure the target as it is, and it may have any value. The steps
// of a row are then f − s_below · a and f + s_above · b, with the same a and b for all rows. Sums over a and b are computed once,
// so a row costs a binary search instead of a pass over all calibration rows.
class ScaleCrps {
 public:
  // The transformation must be a scale (Transform::is_scale).
  ScaleCrps(const ScoreDistribution& distribution, const Transform& transform);
  double operator()(const RowScore& score, double y) const;

 private:
  // The steps on one side of f.
  struct Steps {
    explicit Steps(std::vector<double> from_f);
    double rows() const { return static_cast<double>(reach.size()); }
    double sum() const { return sums.back(); }
    double distance(double away) const;  // Σ |reach − away|

    std::vector<double> reach;  // ascending, in units of the scale
    std::vector<double> sums;   // cumulative sums of `reach`, starting with 0
    double pairs = 0;           // Σ_ij |reach_i − reach_j|
  };
  static std::vector<double> reaches(const ScoreDistribution& distribution, const Transform& transform, Side side);

  Steps below_, above_;
};

class ValueProbabilities;
class RowProbabilities;

// The predictive distribution of y at one x. Every answer comes from one score that increases with y, so answers are nested and
// never cross. If possible values are declared (`range`), answers are possible values. An answer is infinite if there are too few
// calibration rows for it. `values` calibrates probabilities at fixed values, and samples; without it (model files of earlier
// versions) ranks are used instead.
class PredictiveDistribution {
 public:
  PredictiveDistribution(const ScoreDistribution& distribution, const RowScore& score, const TargetRange& range,
                         const ValueProbabilities* values = nullptr)
      : distribution_(distribution), score_(score), range_(range), values_(values) {}
  PredictiveDistribution(const PredictiveDistribution&) = delete;  // probabilities_ refers to this object
  PredictiveDistribution& operator=(const PredictiveDistribution&) = delete;

  double prediction() const { return score_.prediction(); }

  // P(y in the interval) >= confidence. One side may miss more often than the other.
  Interval interval(double confidence) const;
  Interval smoothed_interval(double confidence, double uniform) const;
  // P(y < lower) and P(y > upper) are each at most (1 − confidence) / 2. With --sure both hold together for that share of
  // calibration sets.
  Interval equal_tailed(double confidence) const;
  // P(y <= upper) >= confidence, P(y >= lower) >= confidence. From confidence 1/2 on, lower <= upper.
  double upper(double confidence) const;
  double lower(double confidence) const;

  // For p < 1/2 the largest value with P(y < value) <= p, for p > 1/2 the smallest value with P(y > value) <= 1 − p. For p = 1/2
  // the midpoint of the two, rounded to a possible value. So intervals between quantiles have at least their nominal coverage.
  double quantile(double p) const;
  // Whether y lies below or at the p-quantile, whose value is `quantile`. Ranks decide: if rounding moves the value of a rank
  // past a y of the same rank, the two still count as equal. So `below` is never more frequent, and `at_or_below` never less
  // frequent, than ranks imply.
  struct Place {
    bool below, at_or_below;
  };
  Place place_at_quantile(double y, double p, double quantile) const;

  // P(y <= value), calibrated at this value, with a lower and an upper end; see ValueProbabilities.
  struct Probability {
    double low, value, high;
  };
  Probability below(double value) const;
  // The same from ranks alone. The share of scores below that of the value is known up to the new row's own share of the weight,
  // 1 / (n + 1) if all weights are 1. If the target has steps, scores between two possible values may count for either side; low
  // and high allow for them too.
  Probability below_by_ranks(double value) const;
  // The midpoint of these two ends: the share of scores below t, or up to t, and the share below the score of a value.
  double share_below(const SignedScore& t, bool up_to) const;
  double share_below(double value) const { return below_by_ranks(value).value; }
  // The value of the lowest rank at which the share is reached; the largest value if none reaches it.
  double value_reaching(double share) const;

  // The conformal p-value: the share of scores that are at least as extreme. It is at most p with a probability of at most p.
  // With `uniform` drawn from [0, 1) it is uniform on [0, 1], even with ties.
  enum class Alternative { two_sided, less, greater };
  double p_value(double y, Alternative alternative = Alternative::two_sided) const;
  double smoothed_p_value(double y, double uniform, Alternative alternative = Alternative::two_sided) const;

  // The value of rank k. The values of k = 1 ... n are ascending: the predictive distribution as an empirical distribution.
  double value_at(Index rank) const;
  // Consistent with below(): P(sample <= v) = below(v). NaN without calibration rows, like the next three.
  double sample(double uniform) const;
  double sample_by_ranks(double uniform) const;
  double mean() const;
  // The continuous ranked probability score of that distribution: mean |v − y| − ½ mean |v − v'|.
  double crps(double y) const;
  // The same from at most `max_values` of the values, evenly spaced in rank, if all weights are equal. The relative error of
  // 1,000 values is about 0.001.
  double crps_from(Index max_values, double y) const;

 private:
  double upper(double confidence, Index together) const;
  double lower(double confidence, Index together) const;
  std::vector<double> values() const;
  std::vector<double> weights() const;
  const RowProbabilities& probabilities() const;

  const ScoreDistribution& distribution_;
  RowScore score_;
  const TargetRange& range_;
  const ValueProbabilities* values_;
  mutable std::shared_ptr<const RowProbabilities> probabilities_;  // of this row, computed when first needed
};

}  // namespace taut
