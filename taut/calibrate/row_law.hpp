// The law of y at one x, from which every question is answered.
#pragma once

#include <taut/calibrate/law.hpp>
#include <taut/calibrate/row_score.hpp>

namespace taut {

// Every answer comes from one score that increases with y, so answers are nested and never cross. With declared possible values
// (`range`) answers are possible values. An answer that needs more calibration rows than there are is infinite.
class RowLaw {
 public:
  RowLaw(const Law& law, const RowScore& score, const TargetRange& range) : law_(law), score_(score), range_(range) {}

  double prediction() const { return score_.prediction(); }

  // P(y in it) >= confidence, both sides at once: one side may miss more often than the other.
  Interval interval(double confidence) const;
  Interval smoothed_interval(double confidence, double uniform) const;
  // P(y < lower) and P(y > upper) are each at most (1 − confidence) / 2.
  Interval equal_tailed(double confidence) const;
  // P(y <= upper) >= confidence, P(y >= lower) >= confidence. From one half on the lower bound is never above the upper one.
  double upper(double confidence) const;
  double lower(double confidence) const;

  // Below one half the largest value that y lies below with a probability of at most p, above it the smallest that y exceeds with
  // a probability of at most 1 − p; at one half the middle between the two, a possible value too. So intervals between quantiles
  // keep what they promise.
  double quantile(double p) const;

  // P(y <= value) is known up to the new row's own share of the weight, 1 / (n + 1) where all weights are 1: between low and
  // high. With steps of the target, scores between two possible values belong to either side and lie between low and high too.
  struct Probability {
    double low, high;
    double middle() const { return low + (high - low) / 2; }
  };
  Probability below(double value) const;

  // How surprising a value is: the share of scores at least as far out. At most p with a probability of at most p; with `uniform`
  // drawn from [0, 1) it is uniform on [0, 1], whatever ties there are.
  enum class Alternative { two_sided, less, greater };
  double p_value(double y, Alternative alternative = Alternative::two_sided) const;
  double smoothed_p_value(double y, double uniform, Alternative alternative = Alternative::two_sided) const;

  // The value in the middle of rank k: the law as an empirical distribution over n values, k = 1 ... n, ascending.
  double value_at(Index rank) const;
  // NaN, like the next two, where there are no calibration rows.
  double sample(double uniform) const;
  double mean() const;
  // The continuous ranked probability score of that distribution: mean |v − y| − ½ mean |v − v'|.
  double crps(double y) const;
  // The same from at most so many of the values, evenly spaced in rank, where all count alike: 1,000 of them are off by about one
  // in a thousand.
  double crps_from(Index most_values, double y) const;

 private:
  std::vector<double> values() const;
  std::vector<double> weights() const;

  const Law& law_;
  RowScore score_;
  const TargetRange& range_;
};

}  // namespace taut
