// The units in which predictors see the target: centre 0, mean deviation 1.
#pragma once

#include <taut/core/archive.hpp>

#include <span>

namespace taut {

struct StandardUnits {
  double centre = 0, unit = 1;  // value = centre + unit · standard

  static StandardUnits of(std::span<const double> values);

  double standard(double value) const { return (value - centre) / unit; }
  // Far outside the training rows a prediction may leave the range of doubles; an interval needs a finite centre.
  double value(double standard) const;

  void save(Archive archive) const;
  static StandardUnits load(const Archive& archive);
};

}  // namespace taut
