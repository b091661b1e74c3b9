// The side of a box as nodes of an ONNX graph.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_target.hpp>

#include <functional>
#include <string>
#include <vector>

namespace taut {

using SignedScores = std::vector<SignedScore>;

// Bounds of the half-widths at scores, from above and from below: a column for each score.
struct OnnxReach {
  std::function<std::string(const SignedScores&)> more, less;
};

// The intervals of one target in a box. `centre`: f on the scale of the score; `slack`: a bound of its error.
OnnxEnds onnx_side_of_box(const ExportedTarget& model, const std::string& centre, const std::string& slack,
                          const OnnxReach& reach, OnnxMaths& maths);

}  // namespace taut
