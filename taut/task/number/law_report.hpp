// How good the whole law of y is on rows whose target is known: its quantiles, its p-values, its CRPS.
#pragma once

#include <taut/calibrate/row_law.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>

#include <array>
#include <functional>

namespace taut {

// Where no two scores are equal, the number of m new rows at or below the k-th smallest of n calibration scores is
// Beta-binomial(m; k, n + 1 − k). With ties, possible values in steps or a known range, the number below can only be smaller and
// the number at or below can only be larger.
struct QuantileReport {
  double p = 0;
  double pinball = missing;                       // mean over the rows; NaN where the quantile is infinite
  double below = missing, at_or_below = missing;  // shares of the rows, by rank: see RowLaw::Place
  Band expected{missing, missing};

  bool chance_explains() const { return !(below > expected.high || at_or_below < expected.low); }
};

// A smoothed p-value is at most a for the rows whose score is among the a (n + 1) farthest of the n + 1: without ties their
// number lies between those of the ranks ⌊a (n + 1)⌋ and ⌈a (n + 1)⌉, each Beta-binomial.
struct PValueReport {
  double at_most = 0;
  double share = missing;  // of the rows
  Band expected{missing, missing};
};

struct LawReport {
  static constexpr std::array probabilities = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};
  static constexpr std::array p_value_limits = {0.01, 0.05, 0.1, 0.5};

  // Means over the rows, in units of the target. NaN without calibration rows, and for model files that do not know the sides.
  double crps = missing;
  double pinball = missing;               // over the rows and the probabilities
  std::vector<QuantileReport> quantiles;  // none for model files that do not know the sides
  std::vector<PValueReport> p_values;
};

// All quantiles together stay in their bands with a probability of at least `band_probability`, and so do all p-values.
// `has_ends`: the predictions are ends of intervals, so that steps of the law do not stand in proportion to a row's scale.
// `score_of_row` gives the score at a row, `uniforms` the random number of its p-value, so nothing depends on threads.
LawReport judge_law(const Law& law, const TargetRange& range, const std::function<RowScore(Index)>& score_of_row,
                    std::span<const double> y, const RowUniforms& uniforms, int threads, bool has_ends = false);
// The same where each row has a law of its own: there are no bands then, because coverages of different rows have different laws.
LawReport judge_laws(const std::function<Law(Index)>& law_of_row, const TargetRange& range,
                     const std::function<RowScore(Index)>& score_of_row, std::span<const double> y, const RowUniforms& uniforms,
                     int threads);

}  // namespace taut
