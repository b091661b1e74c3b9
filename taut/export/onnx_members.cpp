#include <taut/export/onnx_members.hpp>

#include <taut/export/onnx_trees.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

OnnxSum sum_of_trees(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths) {
  OnnxTrees trees(std::ssize(part.members));
  std::int64_t tree_id = 0, target = 0;
  std::vector<double> errors;
  double centres = 0, error = 0;
  const auto members = static_cast<double>(part.members.size());
  for (const ExportedMember& member : part.members) {
    OnnxTrees::add(*member.trees, target++, tree_id, trees, errors);
    centres += member.centre / members;
  }
  for (const double one : errors) error += one / members;
  const std::string sums = trees.add_to(maths.graph(), inputs);
  const std::string share = maths.column(std::vector<double>(part.members.size(), 1 / members));
  return {maths.plus(maths.op("MatMul", sums, share), centres), maths.graph().constant(error + 1e-14 * (1 + std::abs(centres)))};
}

OnnxSum sum_of_weights(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  std::vector<double> weights(static_cast<std::size_t>(columns));
  double intercept = 0;
  for (const ExportedMember& member : part.members) {
    intercept += member.centre / static_cast<double>(part.members.size());
    for (std::size_t k = 0; k < member.weights.size(); ++k)
      weights[static_cast<std::size_t>(member.inputs[k])] += member.weights[k] / static_cast<double>(part.members.size());
  }
  double size = std::abs(intercept);
  for (const double weight : weights) size += std::abs(weight);
  return {maths.plus(maths.op("MatMul", inputs, maths.column(weights)), intercept), maths.graph().constant(1e-10 * size)};
}

// All splines of all members side by side: which piece an input lies in is the number of knots at or below it, and what a piece
// is made of is looked up.
OnnxSum sum_of_splines(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths) {
  std::size_t most = 0;
  for (const ExportedMember& member : part.members)
    for (const ExportedSpline& spline : member.splines) most = std::max(most, spline.knots.size());
  const auto members = static_cast<double>(part.members.size());
  double intercept = 0, size = 0;
  std::vector<std::int64_t> which;
  std::vector<double> low, high, knots, first;
  std::vector<std::vector<double>> terms(5);
  for (const ExportedMember& member : part.members) {
    intercept += member.centre / members;
    for (const ExportedSpline& spline : member.splines) {
      which.push_back(spline.input);
      low.push_back(spline.low);
      high.push_back(spline.high);
      first.push_back(static_cast<double>(terms[0].size()));
      knots.insert(knots.end(), spline.knots.begin(), spline.knots.end());
      knots.insert(knots.end(), most - spline.knots.size(), infinity);
      double largest = 0;
      for (std::size_t i = 0; i <= most; ++i) {
        const auto& piece = spline.pieces[std::min(i, spline.pieces.size() - 1)];
        const double values[] = {piece.from, piece.constant, piece.slope, piece.square, piece.cube};
        for (std::size_t k = 0; k < 5; ++k) terms[k].push_back(values[k]);
        const double reach = std::max(std::abs(spline.low - piece.from), std::abs(spline.high - piece.from));
        largest = std::max(largest,
                           std::abs(piece.constant) +
                               reach * (std::abs(piece.slope) + reach * (std::abs(piece.square) + reach * std::abs(piece.cube))));
      }
      size += largest;
    }
  }
  OnnxGraph& graph = maths.graph();
  const std::string error = graph.constant(1e-13 * (std::abs(intercept) + size));
  const auto splines = static_cast<std::int64_t>(which.size()), width = static_cast<std::int64_t>(most);
  if (splines == 0) return {maths.plus(maths.times(graph.columns(inputs, {0}), 0), intercept), error};
  const std::string at = maths.op("Min", maths.op("Max", graph.columns(inputs, which), maths.row(low)), maths.row(high));
  const std::string deep = graph.node("Unsqueeze", {at, graph.integers({2})});
  const std::string passed = maths.op("GreaterOrEqual", deep, graph.constant(knots, {1, splines, width}));
  const std::string count = graph.node("Squeeze", {maths.op("MatMul", graph.cast(passed, OnnxGraph::double_type),
                                                            graph.constant(std::vector<double>(most, 1), {width, 1})),
                                                   graph.integers({2})});
  const std::string place = graph.cast(maths.op("Add", count, maths.row(first)), OnnxGraph::int64_type);
  const auto term = [&](std::size_t k) {
    return maths.op("Gather", graph.constant(terms[k], {static_cast<std::int64_t>(terms[k].size())}), place);
  };
  const std::string d = maths.op("Sub", at, term(0));
  std::string value = term(4);
  for (std::size_t k = 4; k-- > 1;) value = maths.op("Add", maths.op("Mul", value, d), term(k));
  return {maths.plus(maths.times(maths.sum(value, splines), 1 / members), intercept), error};
}

}  // namespace

OnnxSum onnx_sum(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  if (part.members.front().trees) return sum_of_trees(part, inputs, maths);
  if (part.has_slack()) return onnx_smooth_sum(part, inputs, maths);
  if (part.name == "additive") return sum_of_splines(part, inputs, maths);
  return sum_of_weights(part, inputs, columns, maths);
}

}  // namespace taut
