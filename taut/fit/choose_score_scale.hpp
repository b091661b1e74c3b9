// The choice of the scale of the score by validation rows.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/options/options.hpp>
#include <taut/train/shape.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// The scales to compare, as-is first; a single one if the user named it, if there are too many rows for trials, or if no other is
// worth one. `y`: training targets.
std::vector<std::string> score_scales_to_try(const FitOptions& options, std::span<const double> y, RowWeights weights = {});

// Interval scores of validation rows in units of y, which are comparable between scales: for each level those of all rows, with
// intervals calibrated on the same rows.
class ScaleLoss {
 public:
  // `score_of` gives the score of each row in turn, from parts of the model that were not trained on it.
  ScaleLoss(const std::function<RowScore(std::size_t)>& score_of, std::span<const double> y, const FitOptions& options,
            RowWeights weights = {});

  double loss() const { return loss_; }  // the log of the interval score, mean over rows and levels
  // For each row, its interval score, mean over levels, divided by the mean over rows.
  const std::vector<double>& of_rows() const { return relative_; }
  // True if the loss is lower than that of `as_is` by a gain that is worth another scale, and by more than two standard errors of
  // the difference, paired over rows.
  bool is_clearly_lower_than(const ScaleLoss& as_is) const;

 private:
  std::vector<double> relative_;  // interval scores of the rows, mean over levels, divided by their mean over rows
  std::vector<double> weights_;   // of the rows; empty: each counts once
  double loss_ = 0;
  bool is_monotone_ = false;
};

// The mean pinball loss of each row over the levels 0.05, 0.1, ..., 0.95 of the quantiles that the scores of these rows give,
// about half of the continuous ranked probability score.
std::vector<double> quantile_losses(const std::function<RowScore(std::size_t)>& score_of, std::span<const double> y,
                                    RowWeights weights = {});

}  // namespace taut
