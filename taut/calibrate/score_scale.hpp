// The scale on which a conformity score measures the distance of y from f: the target as it is, its root or its logarithm, or a
// scale that is learned.
#pragma once

#include <taut/calibrate/learned_scale.hpp>
#include <taut/core/archive.hpp>
#include <taut/core/scale_form.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace taut {

// z = T(y), increasing. Intervals are computed in z and mapped back, so that on the log scale their ends are factors of f and
// positive. T takes every y: on the log scale y <= 0 is at −infinity, where its score is infinite, and on the root scale y < 0
// is, if no training target is negative. Calibration rows with such targets therefore count like any other.
class ScoreScale {
 public:
  ScoreScale() = default;  // as-is
  // `y`: training targets. An Error if log cannot take them.
  ScoreScale(const std::string& name, std::span<const double> y);

  explicit ScoreScale(LearnedScale learned) : learned_(std::make_shared<const LearnedScale>(std::move(learned))) {}

  ScaleForm form() const { return form_; }  // as_is for a learned scale too
  const LearnedScale* learned() const { return learned_.get(); }
  static const std::string& name_of_learned();
  const std::string& name() const { return learned_ ? name_of_learned() : name_of(form_); }
  bool is_identity() const { return form_ == ScaleForm::as_is && !learned_; }
  // True if ends of intervals are never below 0, unless they are −infinity.
  bool is_bounded() const { return min_centre_ >= 0; }
  // A smaller prediction counts as this: half of the smallest training target on the log scale, 0 on a bounded root scale.
  double min_centre() const { return min_centre_; }

  double forward(double y) const {
    if (form_ == ScaleForm::as_is) return learned_ ? learned_->forward(y) : y;
    const bool is_outside = form_ == ScaleForm::log ? !(y > 0) : is_bounded() && y < 0;
    return is_outside ? -infinity : to_scale(form_, y);
  }
  double centre(double f) const { return forward(std::max(f, min_centre_)); }
  std::vector<double> forward(std::span<const double> y) const;
  std::vector<double> centres(std::span<const double> f) const;
  // The y at z; 0 where T has no such z.
  double value(double z) const {
    if (learned_) return learned_->value(z);
    return from_scale(form_, form_ == ScaleForm::root && is_bounded() ? std::max(z, 0.0) : z);
  }
  // The ends of {y : T(y) <= z} and {y : T(y) >= z}, rounded outward: no y of these sets lies beyond. Rounding errors of
  // logarithms and roots are bounded, not assumed to be monotone.
  double highest(double z) const { return is_identity() ? z : outward(z, 1); }
  double lowest(double z) const { return is_identity() ? z : outward(z, -1); }

  void save(Archive archive) const;
  static ScoreScale load(const Archive& archive);

 private:
  double outward(double z, int direction) const;

  ScaleForm form_ = ScaleForm::as_is;
  double min_centre_ = -infinity;
  std::shared_ptr<const LearnedScale> learned_;  // null for the named forms
};

}  // namespace taut
