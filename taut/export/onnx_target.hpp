// One target as nodes of an ONNX graph: its prediction and the ends of its intervals.
#pragma once

#include <taut/export/onnx_members.hpp>

namespace taut {

// f of one target, and a bound of its difference to the library's f; the predictors' disagreement, if the width uses it.
struct OnnxPredicted {
  std::string value, error, disagreement;
};
OnnxPredicted onnx_prediction(const ExportedTarget& model, OnnxMaths& maths);

// The ends of the intervals of one target: rows x levels.
struct OnnxEnds {
  std::string lower, upper;
};
OnnxEnds onnx_ends(const ExportedTarget& model, const OnnxPredicted& prediction, OnnxMaths& maths);

}  // namespace taut
