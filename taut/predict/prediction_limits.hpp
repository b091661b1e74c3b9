// How far predictions may leave the range of the training targets. Smooth predictors extrapolate, and on the scale of a logarithm
// a little too far is orders of magnitude too far in y: nothing that trained them says that such values exist.
#pragma once

#include <taut/core/archive.hpp>
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

  void save(Archive archive) const;  // nothing where there are none
  static PredictionLimits load(const Archive& archive);

 private:
  double low_ = -infinity, high_ = infinity;  // both finite, or neither
};

// Of a short list from 0 to infinity, the margin m with the lowest squared error of out-of-fold predictions, each held within the
// limits of its own fold's training targets; among equals 0.1 and then the smallest. `held_out` has the validation rows of all
// folds, in their order, and the limits are applied to it. Rows in order may follow a trend, of which blocks show one step only:
// a margin that they need above the smallest ones becomes infinity there.
double choose_margin(std::span<double> held_out, std::span<const double> y, const std::vector<TrainingPart>& folds,
                     bool in_order);

}  // namespace taut
