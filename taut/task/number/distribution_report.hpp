// Evaluates predictive distributions on rows with known targets: quantiles, p-values and CRPS.
#pragma once

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>

#include <array>
#include <functional>

namespace taut {

// Without ties, the number of m new rows at or below the k-th smallest of n calibration scores is Beta-binomial(m; k, n + 1 − k).
// With ties, possible values in steps or a known range, the number below can only be smaller and the number at or below can only
// be larger.
struct QuantileReport {
  double p = 0;
  double pinball = missing;                       // mean over the rows; NaN if a quantile is infinite
  double below = missing, at_or_below = missing;  // shares of the rows, by rank: see PredictiveDistribution::Place
  Band expected{missing, missing};

  bool chance_explains() const { return !(below > expected.high || at_or_below < expected.low); }
};

// A smoothed p-value is at most a for the rows whose score is among the a (n + 1) farthest of the n + 1: without ties their
// number lies between those of the ranks ⌊a (n + 1)⌋ and ⌈a (n + 1)⌉, each Beta-binomial.
struct PValueReport {
  double at_most = 0;
  double share = missing;  // of rows with such a p-value
  Band expected{missing, missing};
};

struct DistributionReport {
  static constexpr std::array probabilities = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};
  static constexpr std::array p_value_limits = {0.01, 0.05, 0.1, 0.5};

  // Means over the rows, in units of the target. NaN without calibration rows, and for model files without the sides of scores.
  double crps = missing;
  double pinball = missing;               // mean over the rows and the probabilities
  std::vector<QuantileReport> quantiles;  // empty for model files without the sides of scores
  std::vector<PValueReport> p_values;
};

// For rows with the same score distribution. All quantiles together are in their bands with a probability of at least
// `band_probability`, and so are all p-values. `has_ends`: predictions are the ends of intervals, so a distribution is not
// proportional to the row's scale. `score_of_row` gives the score of a row, `uniforms` the random number of its p-value; results
// do not depend on the number of threads.
DistributionReport evaluate_distribution(const ScoreDistribution& distribution, const TargetRange& range,
                                         const std::function<RowScore(Index)>& score_of_row, std::span<const double> y,
                                         const RowUniforms& uniforms, int threads, bool has_ends = false);
// For rows with different score distributions. There are no bands, because the coverages of such rows have different
// distributions.
DistributionReport evaluate_distributions(const std::function<ScoreDistribution(Index)>& distribution_of_row,
                                          const TargetRange& range, const std::function<RowScore(Index)>& score_of_row,
                                          std::span<const double> y, const RowUniforms& uniforms, int threads);

}  // namespace taut
