// A cut-off for the score of a new row that keeps its promise for every group of a list at once, overlapping ones too, and for
// every function of a class (Gibbs, Cherian and Candès 2023).
#pragma once

#include <taut/calibrate/quantile_basis.hpp>

#include <memory>

namespace taut {

// Quantile regression at `level` of the scores on the class, with the new row among the rows. Its own score is unknown, but
// η, the slope of the loss at its residual, rises with it from level − 1 to level, and Σ η f(x) over all rows is 0 for every
// f of the class. Rows being exchangeable, the set of scores with η <= U, U uniform from level − 1 to level, has
//   E[f(x) (1{covered} − level)] = 0
// for every f of the class: coverage is exactly the level in every group, averaged over nothing else. The set of scores whose η
// is below `level` needs no draw and covers at least. Ties among scores can only add to both.
//
// The largest such score is the fitted quantile at the new row where its η is held at U: one small change to the regression on
// the calibration rows alone, from which each row starts.
class ConditionalQuantile {
 public:
  ConditionalQuantile(std::shared_ptr<const ScoredRows> rows, double level);

  // Scores up to this one are in the set. Infinity is the whole line: the row is in a group that has too few calibration rows for
  // the level, or none.
  double cut_off(std::span<const double> functions) const;
  // Drawn so that coverage is exact; `uniform` from [0, 1) belongs to the row. Nothing means the empty set; −infinity is a score.
  std::optional<double> smoothed_cut_off(std::span<const double> functions, double uniform) const;

  const ScoredRows& rows() const { return *rows_; }
  double level() const { return level_; }

 private:
  std::optional<double> fitted(std::span<const double> functions, double own, bool from_below) const;

  std::shared_ptr<const ScoredRows> rows_;
  double level_;
  QuantileBasis start_;  // of the calibration rows alone
};

}  // namespace taut
