// The kinds of calibration as an enum, for code that depends on the kind. Names are compared only here.
#pragma once

#include <string>

namespace taut {

enum class CalibrationKind {
  plain,  // the kinds up to `overlapping` are listed by name (taut/calibrate/calibration.hpp)
  by_group,
  weighted,
  towards,
  local,
  hierarchical,
  overlapping,
  held_out,  // "cv+": every row calibrates the models that were trained without it
  by_label   // by-group with class labels as groups
};

const std::string& to_string(CalibrationKind kind);
// An unknown name is a UsageError.
CalibrationKind calibration_kind(const std::string& name);

// The kind of a regression or classification model.
template <class Model>
CalibrationKind kind_of(const Model& model) {
  return calibration_kind(model.calibration_kind());
}

}  // namespace taut
