// One target as nodes of an ONNX graph: its prediction and the ends of its intervals.
#pragma once

#include <taut/export/onnx_members.hpp>

namespace taut {

// f of one target, and a bound of its difference to the library's f.
OnnxSum onnx_prediction(const ExportedTarget& model, OnnxMaths& maths);

// The ends of the intervals of one target: rows x levels.
struct OnnxEnds {
  std::string lower, upper;
};
OnnxEnds onnx_ends(const ExportedTarget& model, const OnnxSum& prediction, OnnxMaths& maths);

}  // namespace taut
