// The parameters of a transformation as nodes of an ONNX graph.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_maths.hpp>

#include <string>
#include <vector>

namespace taut {

// For each side log s if the transformation is a scale, otherwise all parameters g; and a bound of their error.
struct OnnxParams {
  std::vector<std::string> u;
  double error = 0;
};

// `x` names the inputs of the localizer. The runtime adds trees in its own order.
OnnxParams onnx_params(const ExportedTarget& model, const ExportedLocalization& from, const std::string& x, OnnxMaths& maths);

// log s of each side, with the bits of the library: one node for each tree, because only element-wise operations have an order.
std::vector<std::string> onnx_log_scales(const ExportedTarget& model, const std::string& x, OnnxMaths& maths);

}  // namespace taut
