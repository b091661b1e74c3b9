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

// z = T(y), strictly increasing. Intervals are computed in z and mapped back, so that on the log scale their ends are factors of
// f and positive. T takes every y: on the log scale y <= 0 is at −infinity, where its score is infinite. Calibration rows with
// such targets therefore count like any other.
class ScoreScale {
 public:
  ScoreScale() = default;  // as-is
  // `y`: training targets. An Error if log cannot take them.
  ScoreScale(const std::string& name, std::span<const double> y);

  ScaleForm form() const { return form_; }
  const std::string& name() const { return name_of(form_); }
  bool is_identity() const { return form_ == ScaleForm::as_is; }
  double min_centre() const { return min_centre_; }

  double forward(double y) const {
    if (form_ == ScaleForm::as_is) return y;
    return form_ == ScaleForm::log && !(y > 0) ? -infinity : to_scale(form_, y);
  }
  // T of a prediction. On the log scale a prediction below min_centre(), half of the smallest training target, counts as that.
  double centre(double f) const { return form_ == ScaleForm::log ? forward(std::max(f, min_centre_)) : forward(f); }
  std::vector<double> forward(std::span<const double> y) const;
  std::vector<double> centres(std::span<const double> f) const;
  // The y at z; 0 at −infinity on the log scale.
  double value(double z) const { return from_scale(form_, z); }
  // The ends of {y : T(y) <= z} and {y : T(y) >= z}, rounded outward: no y of these sets lies beyond. Rounding errors of
  // logarithms and roots are bounded, not assumed to be monotone.
  double highest(double z) const { return is_identity() ? z : outward(z, 1); }
  double lowest(double z) const { return is_identity() ? z : outward(z, -1); }

  void save(Archive archive) const;
  static ScoreScale load(const Archive& archive);

 private:
  double outward(double z, int direction) const;

  ScaleForm form_ = ScaleForm::as_is;
  double min_centre_ = std::numeric_limits<double>::min();  // only used on the log scale
};

}  // namespace taut
