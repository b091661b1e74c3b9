// Arithmetic on a graph of ONNX in the making: names of values in, names of values out.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_writer.hpp>

namespace taut {

class OnnxMaths {
 public:
  std::string op(const char* operation, const std::string& a, const std::string& b) { return graph_.node(operation, {a, b}); }
  std::string plus(const std::string& a, double b) { return op("Add", a, graph_.constant(b)); }
  std::string times(const std::string& a, double b) { return op("Mul", a, graph_.constant(b)); }
  std::string held(const std::string& x, double least, double most) {
    return op("Min", op("Max", x, graph_.constant(least)), graph_.constant(most));
  }
  // Rounded to a float, which of a sum, a product, a quotient or a root of floats is what floats themselves give.
  std::string as_float(const std::string& x) {
    return graph_.cast(graph_.cast(x, OnnxGraph::float_type), OnnxGraph::double_type);
  }
  std::string where(const std::string& condition, const std::string& yes, const std::string& no) {
    return graph_.node("Where", {condition, yes, no});
  }
  std::string row(const std::vector<double>& values) {
    return graph_.constant(values, {1, static_cast<std::int64_t>(values.size())});
  }
  std::string column(const std::vector<double>& values) {
    return graph_.constant(values, {static_cast<std::int64_t>(values.size()), 1});
  }
  // Over the columns of each row.
  std::string sum(const std::string& x, Index columns) {
    return op("MatMul", x, column(std::vector<double>(static_cast<std::size_t>(columns), 1)));
  }

  // A formula of these variables.
  std::string formula(const Formula& formula, const std::vector<std::string>& variables);

  // All inputs side by side, in their order, from the graph's "cells".
  std::string inputs_of(const std::vector<DescribedInput>& inputs);

  // A part of dates in seconds (DatePart), NaN where there is none: rows x 1.
  std::string date_part(const std::string& seconds, double origin, int part);

  OnnxGraph& graph() { return graph_; }

 protected:
  OnnxGraph graph_;
};

}  // namespace taut
