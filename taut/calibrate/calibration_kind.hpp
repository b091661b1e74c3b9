// The kinds of calibration, for code that must tell them apart: names are compared here and nowhere else.
#pragma once

#include <string>

namespace taut {

enum class CalibrationKind {
  plain,  // these are listed (taut/calibrate/calibration.hpp), each under its name
  by_group,
  weighted,
  towards,
  local,
  hierarchical,
  overlapping,
  held_out,  // "cv+": every row calibrates, for the models that were trained without it
  by_label   // by-group with the labels of a classifier as groups
};

const std::string& to_string(CalibrationKind kind);
// An unknown name is a UsageError.
CalibrationKind calibration_kind(const std::string& name);

// Of a model for numbers or for labels.
template <class Model>
CalibrationKind kind_of(const Model& model) {
  return calibration_kind(model.calibration_kind());
}

}  // namespace taut
