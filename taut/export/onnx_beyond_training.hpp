// What makes intervals wider at rows unlike the training rows, as nodes of an ONNX graph.
#pragma once

#include <taut/export/onnx_maths.hpp>

#include <string>

namespace taut {

// The growth of the scale of each row, with the library's bits. `x`: the inputs of g.
std::string onnx_growth(const BeyondTraining& beyond, const std::string& x, OnnxMaths& maths);

}  // namespace taut
