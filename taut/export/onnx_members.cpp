#include <taut/export/onnx_members.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void OnnxTrees::node(std::int64_t tree, std::int64_t id, const char* mode, std::int64_t feature, double value, std::int64_t left,
                     std::int64_t right, bool missing_left) {
  trees_.push_back(tree);
  ids_.push_back(id);
  modes_.emplace_back(mode);
  features_.push_back(feature);
  values_.push_back(value);
  true_.push_back(left);
  false_.push_back(right);
  missing_.push_back(missing_left ? 1 : 0);
}

void OnnxTrees::weight(std::int64_t tree, std::int64_t id, std::int64_t target, double value) {
  weight_trees_.push_back(tree);
  weight_ids_.push_back(id);
  weight_targets_.push_back(target);
  weights_.push_back(value);
}

std::string OnnxTrees::add_to(OnnxGraph& graph, const std::string& inputs) const {
  using G = OnnxGraph;
  std::vector<ProtoMessage> attributes = {G::attribute("n_targets", targets_),
                                          G::attribute("nodes_treeids", trees_),
                                          G::attribute("nodes_nodeids", ids_),
                                          G::attribute("nodes_modes", modes_),
                                          G::attribute("nodes_featureids", features_),
                                          G::tensor_attribute("nodes_values_as_tensor", values_),
                                          G::attribute("nodes_truenodeids", true_),
                                          G::attribute("nodes_falsenodeids", false_),
                                          G::attribute("nodes_missing_value_tracks_true", missing_),
                                          G::attribute("target_treeids", weight_trees_),
                                          G::attribute("target_nodeids", weight_ids_),
                                          G::attribute("target_ids", weight_targets_),
                                          G::tensor_attribute("target_weights_as_tensor", weights_),
                                          G::attribute("post_transform", std::string("NONE"))};
  // The standard says that the output is float whatever the inputs are; runtimes give doubles for doubles. A cast suits both.
  return graph.cast(graph.node("TreeEnsembleRegressor", {inputs}, attributes, 1, "ai.onnx.ml").front(), G::double_type);
}

void OnnxTrees::add(const ExportedTrees& trees, std::int64_t first, std::int64_t& tree_id, OnnxTrees& to,
                    std::vector<double>& error) {
  std::vector<FloatSum> sums(static_cast<std::size_t>(trees.outputs));
  std::size_t at = 0;
  for (std::size_t t = 0; t < trees.sizes.size(); ++t, ++tree_id) {
    std::int64_t child = 1;
    double largest = 0;
    const std::size_t output = t % static_cast<std::size_t>(trees.outputs);
    for (std::int64_t i = 0; i < trees.sizes[t]; ++i, ++at) {
      const auto value = static_cast<double>(trees.values[at]);
      if (trees.features[at] >= 0) {
        to.node(tree_id, i, "BRANCH_LT", trees.features[at], value, child, child + 1, trees.missing_left[at] != 0);
        child += 2;
        continue;
      }
      to.leaf(tree_id, i);
      to.weight(tree_id, i, first + static_cast<std::int64_t>(output), value);
      largest = std::max(largest, std::abs(value));
    }
    sums[output].add(largest);
  }
  for (const FloatSum& sum : sums) error.push_back(sum.error());
}

double OnnxTrees::add(const ExportedCurve::Member& member, std::int64_t& tree, OnnxTrees& to) {
  const auto inner = (std::int64_t{1} << member.depth) - 1;
  const auto outputs = static_cast<std::int64_t>(member.initial.size());
  const auto count = std::ssize(member.trees.features) / inner;
  FloatSum sum;
  for (Index t = 0; t < count; ++t, ++tree) {
    double largest = 0;
    for (std::int64_t i = 0; i < inner; ++i) {
      const auto at = static_cast<std::size_t>(t * inner + i);
      to.node(tree, i, "BRANCH_LT", member.trees.features[at], static_cast<double>(member.trees.values[at]), 2 * i + 1, 2 * i + 2,
              member.trees.missing_left[at] != 0);
    }
    for (std::int64_t leaf = 0; leaf <= inner; ++leaf) {
      to.leaf(tree, inner + leaf);
      for (std::int64_t k = 0; k < outputs; ++k) {
        const auto value = static_cast<double>(member.leaves[static_cast<std::size_t>((t * (inner + 1) + leaf) * outputs + k)]);
        to.weight(tree, inner + leaf, k, value);
        largest = std::max(largest, std::abs(value));
      }
    }
    sum.add(largest);
  }
  return sum.error();
}

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

// Networks and Gaussian processes as graphs. Their inputs are the library's to the last bit; the sums are made in doubles. How
// far the library's floats may lead from these is computed beside them.

namespace {

class OnnxSmooth {
 public:
  explicit OnnxSmooth(OnnxMaths& maths) : maths_(maths), graph_(maths.graph()) {}

  OnnxSum member(const ExportedMember& from, const std::string& inputs) {
    const ExportedBins& bins = *from.bins;
    const std::string z = robust(bins, inputs);
    OnnxSum sum = from.process ? process(*from.process, ranked(bins, z)) : networks(from.networks, with_shares(bins, z));
    return {maths_.plus(maths_.times(sum.value, from.unit), from.centre), maths_.times(sum.error, from.unit)};
  }

 private:
  std::string op(const char* operation, const std::string& a, const std::string& b) { return maths_.op(operation, a, b); }
  std::string size_of(const std::string& x) { return graph_.node("Abs", {x}); }
  static std::vector<double> doubles(const std::vector<float>& values) { return {values.begin(), values.end()}; }
  // Kept as floats, which halves the file.
  std::string matrix(const std::vector<float>& values, Index rows, Index columns) {
    return graph_.cast(graph_.floats(values, {rows, columns}), OnnxGraph::double_type);
  }

  std::string robust(const ExportedBins& bins, const std::string& x) {
    const std::string s = maths_.held(op("Mul", op("Sub", x, maths_.row(bins.centre)), maths_.row(bins.scale)), -1e9, 1e9);
    const std::string third = op("Div", s, graph_.constant(3));
    return maths_.as_float(op("Div", s, graph_.node("Sqrt", {maths_.plus(op("Mul", third, third), 1)})));
  }

  std::string shares(const ExportedBins& bins, const std::string& z) {
    const std::vector<std::int64_t> which(bins.input.begin(), bins.input.end());
    const std::string past = maths_.as_float(op("Sub", graph_.columns(z, which), maths_.row(doubles(bins.from))));
    return maths_.held(maths_.as_float(op("Mul", past, maths_.row(doubles(bins.factor)))), 0, 1);
  }

  std::string with_shares(const ExportedBins& bins, const std::string& z) {
    return bins.input.empty() ? z : graph_.concat({z, shares(bins, z)});
  }

  // Bin after bin, of all inputs at once, because floats are added in this order. Inputs with fewer bins wait for the others.
  std::string ranked(const ExportedBins& bins, const std::string& z) {
    if (bins.ranked == 0) return z;
    const std::string parts = maths_.as_float(op("Mul", shares(bins, z), maths_.row(doubles(bins.part))));
    const std::string all = graph_.concat({parts, maths_.times(graph_.columns(parts, {0}), 0)});
    const auto zero = std::ssize(bins.input);
    std::vector<std::vector<std::int64_t>> steps;
    for (Index b = 0, step = 0; b < zero; ++b) {
      const auto at = static_cast<std::size_t>(b);
      step = b > 0 && bins.rank[at] == bins.rank[at - 1] ? step + 1 : 0;
      if (step == std::ssize(steps)) steps.emplace_back(static_cast<std::size_t>(bins.ranked), zero);
      steps[static_cast<std::size_t>(step)][static_cast<std::size_t>(bins.rank[at] - std::ssize(bins.centre))] = b;
    }
    std::string sum = maths_.row(std::vector<double>(static_cast<std::size_t>(bins.ranked), -1));
    for (const auto& step : steps) sum = maths_.as_float(op("Add", graph_.columns(all, step), sum));
    return graph_.concat({z, sum});
  }

  // The products and sums of each layer are rounded by the library, and its activations; derivatives say what becomes of that.
  OnnxSum network(const std::vector<ExportedLayer>& layers, const std::string& inputs) {
    std::vector<std::string> weights, lost, slopes, outputs;
    std::string x = inputs;
    for (const ExportedLayer& layer : layers) {
      const auto n = static_cast<std::size_t>(layer.inputs);
      std::vector<double> roundings(n);  // that a product takes part in: its own, and those of all sums from there on
      for (std::size_t k = 0; k < n; ++k) roundings[k] = float_rounding * static_cast<double>(n - k + 1);
      weights.push_back(matrix(layer.weights, layer.inputs, layer.outputs));
      const std::string bias = matrix(layer.bias, 1, layer.outputs);
      const std::string scaled = op("Mul", size_of(weights.back()), maths_.column(roundings));
      lost.push_back(
          op("Add", op("MatMul", size_of(x), scaled), maths_.times(size_of(bias), float_rounding * static_cast<double>(n))));
      x = op("Add", op("MatMul", x, weights.back()), bias);
      if (lost.size() == layers.size()) break;
      const std::string s = op("Div", x, graph_.node("Sqrt", {maths_.plus(op("Mul", x, x), 1)}));
      slopes.push_back(maths_.plus(maths_.times(op("Mul", s, op("Sub", graph_.constant(2), op("Mul", s, s))), 0.5), 0.5));
      x = op("Mul", x, maths_.plus(maths_.times(s, 0.5), 0.5));
      outputs.push_back(x);
    }
    std::string error = lost.back(), by;
    for (std::size_t l = layers.size() - 1; l-- > 0;) {
      const std::string turned = graph_.node("Transpose", {weights[l + 1]});
      by = by.empty() ? turned : op("MatMul", by, turned);
      const std::string activation = maths_.times(size_of(op("Mul", outputs[l], by)), activation_roundings * float_rounding);
      by = op("Mul", slopes[l], by);
      const std::string both = op("Add", activation, op("Mul", size_of(by), lost[l]));
      error = op("Add", error, maths_.sum(both, layers[l].outputs));
    }
    return {x, maths_.times(error, second_order)};
  }

  OnnxSum networks(const std::vector<std::vector<ExportedLayer>>& all, const std::string& inputs) {
    OnnxSum sum;
    for (const auto& layers : all) {
      const OnnxSum one = network(layers, inputs);
      sum = sum.value.empty() ? one : OnnxSum{op("Add", sum.value, one.value), op("Add", sum.error, one.error)};
    }
    const double share = 1 / static_cast<double>(all.size());
    return {maths_.times(sum.value, share), maths_.times(sum.error, share)};
  }

  // d² from squares and products; the kernel is smooth in d², with a slope of at most a sixth: what cancels costs little.
  OnnxSum process(const ExportedProcess& from, const std::string& z) {
    const auto width = static_cast<Index>(from.scale.size()), count = static_cast<Index>(from.heights.size());
    const std::string scale = maths_.row(from.scale);
    const std::string own = op("Mul", z, scale), rows = op("Mul", matrix(from.rows, count, width), scale);
    std::vector<double> squares(from.heights.size());
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
      const double one = static_cast<double>(from.rows[i]) * from.scale[i % from.scale.size()];
      squares[i / from.scale.size()] += one * one;
    }
    const std::string products = op("MatMul", own, graph_.node("Transpose", {rows}));
    const std::string square =
        op("Add", op("Sub", maths_.sum(op("Mul", own, own), width), maths_.times(products, 2)), maths_.row(squares));
    const std::string d = graph_.node("Sqrt", {op("Max", square, graph_.constant(0))});
    const std::string bump = op("Mul", maths_.plus(op("Add", d, op("Div", op("Mul", d, d), graph_.constant(3))), 1),
                                graph_.node("Exp", {graph_.node("Neg", {d})}));
    const std::string linear = maths_.plus(op("MatMul", z, maths_.column(from.slopes)), from.level);
    double farthest = *std::max_element(squares.begin(), squares.end());
    for (const double one : from.scale) farthest += 9 * one * one;
    const double cancelled = 1e-15 * static_cast<double>(width + 8) * farthest;
    return {op("Add", linear, op("MatMul", bump, maths_.column(from.heights))),
            graph_.constant(from.rounding() + from.total_height() * cancelled / 3)};
  }

  OnnxMaths& maths_;
  OnnxGraph& graph_;
};

}  // namespace

OnnxSum onnx_smooth_sum(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths) {
  OnnxSmooth smooth(maths);
  OnnxSum sum;
  for (const ExportedMember& member : part.members) {
    const OnnxSum one = smooth.member(member, inputs);
    sum = sum.value.empty() ? one : OnnxSum{maths.op("Add", sum.value, one.value), maths.op("Add", sum.error, one.error)};
  }
  const double share = 1 / static_cast<double>(part.members.size());
  return {maths.times(sum.value, share), maths.plus(maths.times(sum.error, share), 1e-14)};
}

}  // namespace taut
