// The scale and the units in which a predictor sees the target.
#pragma once

#include <taut/core/archive.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// The units in which predictors see the target: centre 0, mean deviation 1.

struct StandardUnits {
  double centre = 0, unit = 1;  // value = centre + unit · standard

  static StandardUnits of(std::span<const double> values);

  double standard(double value) const { return (value - centre) / unit; }
  // Far outside the training rows a prediction may leave the range of doubles; an interval needs a finite centre.
  double value(double standard) const;

  void save(Archive archive) const;
  static StandardUnits load(const Archive& archive);
};

// The scale on which a predictor learns the target. Prices and counts are often additive in their logarithm or root: a predictor
// that sees these needs fewer rows. Its predictions are mapped back before anything else sees them, so scores, intervals and the
// guarantee are in y as ever.

class TargetScale {
 public:
  enum class Form { as_is, root, log };

  TargetScale() = default;                                          // as it is
  TargetScale(const std::string& name, std::span<const double> y);  // of training targets; an Error where it does not fit them

  static std::vector<std::string> names();  // as-is, root, log
  // The scales worth a trial: as-is, and for targets that are positive or zero and skewed to the right root and log.
  static std::vector<std::string> worth_trying(std::span<const double> y);

  Form form() const { return form_; }
  const std::string& name() const;
  double least() const { return least_; }  // of what backward() takes at its word
  double most() const { return most_; }
  bool is_identity() const { return form_ == Form::as_is; }
  double forward(double y) const;
  // Of a prediction; beyond what training targets reach by half of their range it stays there, because a little too far on the
  // scale of a logarithm is very much too far in y.
  double backward(double scaled) const;

  void save(Archive archive) const;
  static TargetScale load(const Archive& archive);

 private:
  static Form form_of(const std::string& name);

  Form form_ = Form::as_is;
  double least_ = 0, most_ = 0;  // of what backward() takes at its word
};

}  // namespace taut
