// The distribution of y at one x, from which every question is answered, and its CRPS.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/calibrate/row_score.hpp>

namespace taut {

// The continuous ranked probability score ∫ (F(v) − 1{y <= v})² dv of laws with equal steps: mean |v − y| − ½ mean |v − v'|.

// Of steps at `ascending`; NaN where there are none.
double crps_of_sorted(std::span<const double> ascending, double y);
// The same with steps of these heights, which need not sum to 1.
double crps_of_weighted(std::span<const double> ascending, std::span<const double> weights, double y);

// The same for the laws of many rows, where φ is a scale in disguise and the target may have any value: the steps of a row are
// then f − s_below · a and f + s_above · b with the same a and b for all rows. Sums that depend on these alone are taken once, so
// a row costs a binary search instead of a walk through all calibration rows.
class ScaleCrps {
 public:
  // The transformation is a scale (Transform::is_scale).
  ScaleCrps(const Law& law, const Transform& transform);
  double operator()(const RowScore& score, double y) const;

 private:
  // Of one side of f.
  struct Steps {
    explicit Steps(std::vector<double> from_f);
    double rows() const { return static_cast<double>(reach.size()); }
    double sum() const { return sums.back(); }
    double distance(double away) const;  // Σ |reach − away|

    std::vector<double> reach;  // ascending, in scales
    std::vector<double> sums;   // of the first 0, 1, ...
    double pairs = 0;           // Σ_ij |reach_i − reach_j|
  };
  static std::vector<double> reaches(const Law& law, const Transform& transform, Side side);

  Steps below_, above_;
};

// The law of y at one x, from which every question is answered.

class ValueProbabilities;
class RowProbabilities;

// Every answer comes from one score that increases with y, so answers are nested and never cross. With declared possible values
// (`range`) answers are possible values. An answer that needs more calibration rows than there are is infinite. `values`: what
// calibrates probabilities at fixed values, and samples with them; without it (model files of earlier versions) ranks stand for
// it.
class RowLaw {
 public:
  RowLaw(const Law& law, const RowScore& score, const TargetRange& range, const ValueProbabilities* values = nullptr)
      : law_(law), score_(score), range_(range), values_(values) {}
  RowLaw(const RowLaw&) = delete;  // what is remembered below refers to it
  RowLaw& operator=(const RowLaw&) = delete;

  double prediction() const { return score_.prediction(); }

  // P(y in it) >= confidence, both sides at once: one side may miss more often than the other.
  Interval interval(double confidence) const;
  Interval smoothed_interval(double confidence, double uniform) const;
  // P(y < lower) and P(y > upper) are each at most (1 − confidence) / 2; with --sure both at once, for that share of calibration
  // sets.
  Interval equal_tailed(double confidence) const;
  // P(y <= upper) >= confidence, P(y >= lower) >= confidence. From one half on the lower bound is never above the upper one.
  double upper(double confidence) const;
  double lower(double confidence) const;

  // Below one half the largest value that y lies below with a probability of at most p, above it the smallest that y exceeds with
  // a probability of at most 1 − p; at one half the middle between the two, a possible value too. So intervals between quantiles
  // keep what they promise.
  double quantile(double p) const;
  // Where y lies to a quantile of this law, `quantile` being its value. By rank: where the value of a rank is rounded past a y of
  // the same rank, the two are equal all the same. So below() is no more frequent and at_or_below() no less than ranks say.
  struct Place {
    bool below, at_or_below;
  };
  Place place_at_quantile(double y, double p, double quantile) const;

  // P(y <= value), calibrated at the value, and the ends between which it is known; see ValueProbabilities.
  struct Probability {
    double low, value, high;
  };
  Probability below(double value) const;
  // The same by ranks alone: the share of scores below that of the value is known up to the new row's own share of the weight,
  // 1 / (n + 1) where all weights are 1. With steps of the target, scores between two possible values belong to either side and
  // lie between low and high too.
  Probability below_by_ranks(double value) const;
  // In the middle between these two ends: the share of scores below t, or up to it; and below the score of a value.
  double share_below(const SignedScore& t, bool up_to) const;
  double share_below(double value) const { return below_by_ranks(value).value; }
  // The smallest value of a rank up to which the share is reached; the largest where none reaches it.
  double value_reaching(double share) const;

  // How surprising a value is: the share of scores at least as far out. At most p with a probability of at most p; with `uniform`
  // drawn from [0, 1) it is uniform on [0, 1], whatever ties there are.
  enum class Alternative { two_sided, less, greater };
  double p_value(double y, Alternative alternative = Alternative::two_sided) const;
  double smoothed_p_value(double y, double uniform, Alternative alternative = Alternative::two_sided) const;

  // The value in the middle of rank k: the law as an empirical distribution over n values, k = 1 ... n, ascending.
  double value_at(Index rank) const;
  // By below(): samples are at most v as often as it says. NaN, like the next three, where there are no calibration rows.
  double sample(double uniform) const;
  double sample_by_ranks(double uniform) const;
  double mean() const;
  // The continuous ranked probability score of that distribution: mean |v − y| − ½ mean |v − v'|.
  double crps(double y) const;
  // The same from at most so many of the values, evenly spaced in rank, where all count alike: 1,000 of them are off by about one
  // in a thousand.
  double crps_from(Index most_values, double y) const;

 private:
  double upper(double confidence, Index together) const;
  double lower(double confidence, Index together) const;
  std::vector<double> values() const;
  std::vector<double> weights() const;
  const RowProbabilities& probabilities() const;

  const Law& law_;
  RowScore score_;
  const TargetRange& range_;
  const ValueProbabilities* values_;
  mutable std::shared_ptr<const RowProbabilities> probabilities_;  // at this row, once they are asked for
};

}  // namespace taut
