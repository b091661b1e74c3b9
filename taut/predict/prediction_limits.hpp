// Limits for how far predictions may leave the range of the training targets. Smooth predictors extrapolate, and on a log scale a
// small extrapolation is orders of magnitude in y, without evidence that such values exist.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/data/split.hpp>

#include <algorithm>
#include <span>

namespace taut {

// [min − m · (max − min), max + m · (max − min)] of the training targets, in units of y; no limits by default.
class PredictionLimits {
 public:
  PredictionLimits() = default;
  PredictionLimits(std::span<const double> targets, double margin);

  bool exist() const { return low_ > -infinity; }
  double low() const { return low_; }
  double high() const { return high_; }
  double held(double value) const { return std::clamp(value, low_, high_); }

  void save(Archive archive) const;  // writes nothing if there are no limits
  static PredictionLimits load(const Archive& archive);

 private:
  double low_ = -infinity, high_ = infinity;  // both finite, or neither
};

// Chooses the margin m from a short list between 0 and infinity by the squared error of out-of-fold predictions. Each prediction
// is clamped to the limits of its fold's training targets. Ties go to 0.1, then to the smallest positive margin. `held_out` has
// the predictions of the validation rows of all folds, in their order; the chosen limits are applied to it. Rows in time order
// may follow a trend, which may go further than one block shows: there, a margin above 0.1 becomes infinity. `weights`: of the
// squared errors, in the order of `y`.
double choose_margin(std::span<double> held_out, std::span<const double> y, const std::vector<TrainingPart>& folds, bool in_order,
                     RowWeights weights = {});

}  // namespace taut
