// The scale and the units of the target during training of a predictor.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/scale_form.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// The units of the target during training: mean 0, mean absolute deviation 1.
struct StandardUnits {
  double centre = 0, unit = 1;  // value = centre + unit · standard

  static StandardUnits of(std::span<const double> values, RowWeights weights = {});

  double standard(double value) const { return (value - centre) / unit; }
  // Always finite: far outside of the training rows a prediction may overflow, and an interval needs a finite centre.
  double value(double standard) const;

  void save(Archive archive) const;
  static StandardUnits load(const Archive& archive);
};

// The scale on which a predictor learns the target. Prices and counts are often additive in their logarithm or root, so that
// a predictor on that scale needs fewer rows. Predictions are mapped back at once. Scores, intervals and the coverage guarantee
// therefore refer to y itself.
class TargetScale {
 public:
  using Form = ScaleForm;

  TargetScale() = default;                                          // as-is
  TargetScale(const std::string& name, std::span<const double> y);  // `y`: training targets; an Error if log cannot take them

  static std::vector<std::string> names() { return scale_form_names(); }
  // The scales worth a trial: as-is; for targets skewed to the right also root, if none is negative, and log, if all are
  // positive.
  static std::vector<std::string> worth_trying(std::span<const double> y, RowWeights weights = {});

  Form form() const { return form_; }
  const std::string& name() const { return name_of(form_); }
  double minimum() const { return minimum_; }  // backward() clamps to [minimum(), maximum()]
  double maximum() const { return maximum_; }
  bool is_identity() const { return form_ == Form::as_is; }
  double forward(double y) const { return to_scale(form_, y); }
  // Maps a prediction back to y. It is first clamped to the range of the training targets, extended by half of it on both sides,
  // because a small extrapolation on a log scale is a large one in y.
  double backward(double scaled) const;

  void save(Archive archive) const;
  static TargetScale load(const Archive& archive);

 private:
  static Form form_of(const std::string& name);

  Form form_ = Form::as_is;
  double minimum_ = 0, maximum_ = 0;
};

}  // namespace taut
