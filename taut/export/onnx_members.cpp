#include <taut/export/exported.hpp>
#include <taut/export/onnx_members.hpp>

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
  for (const DescribedFunction& member : part.members) {
    OnnxTrees::add(std::get<DescribedTrees>(member.body), target++, tree_id, trees, errors);
    centres += member.centre / members;
  }
  for (const double one : errors) error += one / members;
  const std::string sums = trees.add_to(maths.graph(), inputs);
  const std::vector<double> shares(part.members.size(), 1 / members);
  return {maths.plus(maths.product(sums, shares, 1), centres), maths.graph().constant(error + 1e-14 * (1 + std::abs(centres)))};
}

// One zero for each row, also for rows with NaN or infinite inputs.
std::string zeros(const std::string& inputs, OnnxMaths& maths) {
  OnnxGraph& graph = maths.graph();
  return maths.times(graph.cast(graph.node("IsNaN", {graph.columns(inputs, {0})}), OnnxGraph::double_type), 0);
}

// Adds one input after another: a missing raw input must only affect the sum if it has a weight.
OnnxSum sum_of_raw_weights(const DescribedWeights& own, const std::string& inputs, OnnxMaths& maths) {
  std::string value = zeros(inputs, maths), size = value;
  for (std::size_t k = 0; k < own.weights.size(); ++k) {
    const std::string one = maths.times(maths.graph().columns(inputs, {own.inputs[k]}), own.weights[k]);
    value = maths.op("Add", value, one);
    size = maths.op("Add", size, maths.graph().node("Abs", {one}));
  }
  return {value, maths.times(size, 1e-15 * static_cast<double>(own.weights.size() + 1))};
}

OnnxSum sum_of_weights(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  std::vector<double> weights(static_cast<std::size_t>(columns));
  double intercept = 0;
  for (const DescribedFunction& member : part.members) {
    intercept += member.centre / static_cast<double>(part.members.size());
    const auto& own = std::get<DescribedWeights>(member.body);
    for (std::size_t k = 0; k < own.weights.size(); ++k)
      weights[static_cast<std::size_t>(own.inputs[k])] += own.weights[k] / static_cast<double>(part.members.size());
  }
  double size = std::abs(intercept);
  for (const double weight : weights) size += std::abs(weight);
  return {maths.plus(maths.product(inputs, weights, 1), intercept), maths.graph().constant(1e-10 * size)};
}

// Evaluates all splines of all members at once. The number of knots at or below an input selects the piece, whose coefficients
// are looked up in a table.
OnnxSum sum_of_splines(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths) {
  std::size_t maximum = 0;
  for (const DescribedFunction& member : part.members)
    for (const DescribedSpline& spline : std::get<DescribedSplines>(member.body).splines)
      maximum = std::max(maximum, spline.knots.size());
  const auto members = static_cast<double>(part.members.size());
  double intercept = 0, size = 0;
  std::vector<std::int64_t> which;
  std::vector<double> low, high, knots, first;
  std::vector<std::vector<double>> terms(5);
  for (const DescribedFunction& member : part.members) {
    intercept += member.centre / members;
    for (const DescribedSpline& spline : std::get<DescribedSplines>(member.body).splines) {
      which.push_back(spline.input);
      low.push_back(spline.low);
      high.push_back(spline.high);
      first.push_back(static_cast<double>(terms[0].size()));
      knots.insert(knots.end(), spline.knots.begin(), spline.knots.end());
      knots.insert(knots.end(), maximum - spline.knots.size(), infinity);
      double largest = 0;
      for (std::size_t i = 0; i <= maximum; ++i) {
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
  const auto splines = static_cast<std::int64_t>(which.size()), width = static_cast<std::int64_t>(maximum);
  if (splines == 0) return {maths.plus(maths.times(graph.columns(inputs, {0}), 0), intercept), error};
  const auto cells = [&] {
    const std::string all = graph.columns(inputs, which);
    return part.is_standardised ? all : maths.where(graph.node("IsNaN", {all}), maths.row(low), all);
  };
  const std::string at = maths.op("Min", maths.op("Max", cells(), maths.row(low)), maths.row(high));
  const std::string deep = graph.node("Unsqueeze", {at, graph.integers({2})});
  const std::string passed = maths.op("GreaterOrEqual", deep, graph.constant(knots, {1, splines, width}));
  const std::string count = graph.node("Squeeze", {maths.op("MatMul", graph.cast(passed, OnnxGraph::double_type),
                                                            graph.constant(std::vector<double>(maximum, 1), {width, 1})),
                                                   graph.integers({2})});
  const std::string place = graph.cast(maths.op("Add", count, maths.row(first)), OnnxGraph::int64_type);
  const auto term = [&](std::size_t k) {
    return maths.op("Gather", graph.constant(terms[k], {static_cast<std::int64_t>(terms[k].size())}), place);
  };
  const std::string d = maths.op("Sub", at, term(0));
  std::string value = term(4);
  for (std::size_t k = 4; k-- > 1;) value = maths.op("Add", maths.op("Mul", value, d), term(k));
  return {maths.plus(maths.product(value, std::vector<double>(which.size(), 1 / members), 1), intercept), error};
}

// A part with one member: centre + unit · body.
OnnxSum sum_of_one(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  const DescribedFunction& function = part.members.front();
  const auto in_units = [&](const OnnxSum& body) {
    return OnnxSum{maths.plus(maths.times(body.value, function.unit), function.centre),
                   maths.plus(maths.times(body.error, std::abs(function.unit)), 1e-15 * std::abs(function.centre))};
  };
  if (const auto* weights = std::get_if<DescribedWeights>(&function.body); weights != nullptr && !part.is_standardised)
    return in_units(sum_of_raw_weights(*weights, inputs, maths));
  ExportedPart one = part;
  const auto* formula = std::get_if<DescribedFormula>(&function.body);
  if (formula == nullptr) {
    one.members.front().centre = 0;
    one.members.front().unit = 1;
    return in_units(onnx_sum(one, inputs, columns, maths));
  }
  std::vector<std::string> values, errors;
  std::vector<Formula> errors_of;
  for (const DescribedFunction& own : formula->of) {
    one.members = {own};
    const OnnxSum sum = onnx_sum(one, inputs, columns, maths);
    errors_of.push_back(Formula::variable(std::ssize(formula->of) + std::ssize(values)));
    values.push_back(sum.value);
    errors.push_back(sum.error);
  }
  const std::string value = maths.formula(formula->value, values);
  values.insert(values.end(), errors.begin(), errors.end());
  const std::string error = maths.formula(error_of(formula->value, errors_of), values);
  return in_units({maths.op("Add", value, zeros(inputs, maths)), error});
}

// The mean over members, each with separate nodes.
OnnxSum sum_of_members(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  OnnxSum sum;
  for (const DescribedFunction& member : part.members) {
    ExportedPart own = part;
    own.members = {member};
    const OnnxSum one = sum_of_one(own, inputs, columns, maths);
    sum = sum.value.empty() ? one : OnnxSum{maths.op("Add", sum.value, one.value), maths.op("Add", sum.error, one.error)};
  }
  const double share = 1 / static_cast<double>(part.members.size());
  return {maths.times(sum.value, share), maths.plus(maths.times(sum.error, share), 1e-15)};
}

template <class Body>
bool all_are(const ExportedPart& part, bool scaled = false) {
  return std::all_of(part.members.begin(), part.members.end(), [&](const DescribedFunction& member) {
    return std::holds_alternative<Body>(member.body) && (scaled || member.unit == 1);
  });
}

}  // namespace

// Members of the same kind share nodes of the graph.
OnnxSum onnx_sum(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths) {
  if (all_are<DescribedTrees>(part)) return sum_of_trees(part, inputs, maths);
  if (all_are<DescribedNetworks>(part, true) || all_are<DescribedProcess>(part, true))
    return onnx_smooth_sum(part, inputs, maths);
  if (all_are<DescribedSplines>(part)) return sum_of_splines(part, inputs, maths);
  if (all_are<DescribedWeights>(part) && part.is_standardised) return sum_of_weights(part, inputs, columns, maths);
  return sum_of_members(part, inputs, columns, maths);
}

}  // namespace taut
