// Members of a predictor as parts of a graph of ONNX.
#pragma once

#include <taut/export/onnx_maths.hpp>

namespace taut {

// The mean over members, and how far it may be from the library's: rows x 1, or one number.
struct OnnxSum {
  std::string value, error;
};

// `inputs`: what the part sees; `columns`: how many standardised ones there are.
OnnxSum onnx_sum(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths);

// The same for parts of networks and of processes.
OnnxSum onnx_smooth_sum(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths);

}  // namespace taut
