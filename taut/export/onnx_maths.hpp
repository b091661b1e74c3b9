// Adds arithmetic to an ONNX graph. Functions take the names of values and return the name of the result.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_writer.hpp>

#include <utility>

namespace taut {

class OnnxMaths {
 public:
  explicit OnnxMaths(OnnxGraph& graph) : graph_(graph) {}

  std::string op(const char* operation, const std::string& a, const std::string& b) { return graph_.node(operation, {a, b}); }
  std::string plus(const std::string& a, double b) { return op("Add", a, graph_.constant(b)); }
  std::string times(const std::string& a, double b) { return op("Mul", a, graph_.constant(b)); }
  std::string held(const std::string& x, double minimum, double maximum) {
    return op("Min", op("Max", x, graph_.constant(minimum)), graph_.constant(maximum));
  }
  // Rounds to a float. For one sum, product, quotient or root of floats the result equals single-precision arithmetic.
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
  // Rows times a table of `columns` columns. Unless there are very many inputs it is a chain of element-wise operations: the
  // result for a row then does not depend on its place in the batch, while kernels of matrix products treat the last rows
  // differently. (The result must not be multiplied by a constant: runtimes merge it with the matrix product, as a float.)
  std::string product(const std::string& x, const std::vector<double>& table, std::int64_t columns);
  // The sum over the columns of each row; the same holds for it.
  std::string sum(const std::string& x, Index columns) {
    return op("MatMul", x, column(std::vector<double>(static_cast<std::size_t>(columns), 1)));
  }

  // The value of a formula of these variables.
  std::string formula(const Formula& formula, const std::vector<std::string>& variables);

  // All inputs as columns of one matrix, in their order, computed from the graph's input "cells".
  std::string inputs_of(const std::vector<DescribedInput>& inputs);

  // f on a scale of the score, and a bound of its error there; `slack` is a bound of the error of f.
  std::pair<std::string, std::string> on_scale(const ScoreScale& scale, const std::string& f, const std::string& slack);
  // The y at z, and an end of an interval at z: moved in the direction by more than the rounding errors of any library.
  std::string from_scale(const ScoreScale& scale, const std::string& z);
  std::string end_from_scale(const ScoreScale& scale, const std::string& z, int direction);

  // A continuous function of x that is linear between the knots: `first` at the first one, slopes before it and after each knot.
  std::string pieces(const std::vector<double>& knots, double first, const std::vector<double>& slopes, const std::string& x);

  // A DatePart of dates in seconds, rows x 1; NaN for missing dates.
  std::string date_part(const std::string& seconds, double origin, int part);

  OnnxGraph& graph() { return graph_; }

 protected:
  OnnxGraph& graph_;
};

}  // namespace taut
