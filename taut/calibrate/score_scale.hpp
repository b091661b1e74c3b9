// The scale on which a conformity score measures the distance of y from f: the target as it is, its root or its logarithm.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/scale_form.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
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

  ScaleForm form() const { return form_; }
  const std::string& name() const { return name_of(form_); }
  bool is_identity() const { return form_ == ScaleForm::as_is; }
  // True if ends of intervals are never below 0, unless they are −infinity.
  bool is_bounded() const { return min_centre_ >= 0; }
  // A smaller prediction counts as this: half of the smallest training target on the log scale, 0 on a bounded root scale.
  double min_centre() const { return min_centre_; }

  double forward(double y) const {
    if (form_ == ScaleForm::as_is) return y;
    const bool is_outside = form_ == ScaleForm::log ? !(y > 0) : is_bounded() && y < 0;
    return is_outside ? -infinity : to_scale(form_, y);
  }
  double centre(double f) const { return forward(std::max(f, min_centre_)); }
  std::vector<double> forward(std::span<const double> y) const;
  std::vector<double> centres(std::span<const double> f) const;
  // The y at z; 0 where T has no such z.
  double value(double z) const { return from_scale(form_, form_ == ScaleForm::root && is_bounded() ? std::max(z, 0.0) : z); }
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
};

}  // namespace taut
