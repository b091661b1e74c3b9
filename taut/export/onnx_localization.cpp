#include <taut/export/onnx_localization.hpp>

#include <taut/export/onnx_members.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double max_param = 200;

// Sums of floats in the order of the trees, for all members at once: rows x (members x outputs).
class SumsInOrder {
 public:
  SumsInOrder(const ExportedLocalization& from, std::size_t stage) : from_(from), stage_(stage) {
    for (const auto& member : from.members) rounds_ = std::max(rounds_, std::ssize(trees_of(member).sizes) / outputs_);
  }

  // Empty if there are no trees.
  std::string add_to(const std::string& x, OnnxMaths& maths) const {
    std::string sum;
    for (std::int64_t first = 0; first < rounds_; first += rounds_of_node) {
      const std::int64_t count = std::min(rounds_of_node, rounds_ - first);
      const std::string leaves = maths.graph().cast(leaves_of(first, count).add_to(maths.graph(), x), OnnxGraph::float_type);
      const std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), width());
      const auto rounds = maths.graph().node("Split", {leaves, maths.graph().integers(sizes)},
                                             {OnnxGraph::attribute("axis", std::int64_t{1})}, static_cast<int>(count));
      for (const std::string& round : rounds) sum = sum.empty() ? round : maths.op("Add", sum, round);
    }
    return sum.empty() ? sum : maths.graph().cast(sum, OnnxGraph::double_type);
  }

 private:
  static constexpr std::int64_t rounds_of_node = 16;  // bounds the memory: a node returns one leaf of each of its trees

  const DescribedTrees& trees_of(const ExportedLocalization::Member& member) const { return member.stages[stage_].trees; }
  std::int64_t width() const { return std::ssize(from_.members) * outputs_; }

  // The leaf of each tree is an output of its own; it is 0 for members with fewer trees.
  OnnxTrees leaves_of(std::int64_t first, std::int64_t count) const {
    OnnxTrees all(count * width());
    std::int64_t id = 0, target = 0;
    for (const auto& member : from_.members) {
      const DescribedTrees& trees = trees_of(member);
      std::size_t node = 0;
      for (std::int64_t t = 0; t < std::ssize(trees.sizes); ++t) {
        const std::int64_t round = t / outputs_ - first;
        if (round >= 0 && round < count) all.add_tree(trees, t, node, id++, round * width() + target + t % outputs_);
        node += static_cast<std::size_t>(trees.sizes[static_cast<std::size_t>(t)]);
      }
      target += outputs_;
    }
    return all;
  }

  const ExportedLocalization& from_;
  const std::size_t stage_;
  const std::int64_t outputs_ = from_.sides * from_.params;
  std::int64_t rounds_ = 0;
};

// g of each side in the order of operations of the library, before the factor: one column for each side.
std::string params_in_order(const ExportedTarget& model, const ExportedLocalization& from, const std::string& x,
                            OnnxMaths& maths) {
  const DescribedScale& scale = model.scale();
  const auto outputs = static_cast<std::size_t>(from.sides * from.params);
  const double share = 1.0 / static_cast<double>(from.members.size());
  std::string g;
  for (std::size_t stage = 0; stage < from.exponents.size(); ++stage) {
    std::vector<double> initial;
    for (const auto& member : from.members)
      initial.insert(initial.end(), member.stages[stage].initial.begin(), member.stages[stage].initial.end());
    const std::string sums = SumsInOrder(from, stage).add_to(x, maths);
    const std::string part = sums.empty() ? maths.row(initial) : maths.op("Add", sums, maths.row(initial));
    g = g.empty() ? part : maths.op("Add", g, part);
    if (from.exponents[stage] != 1) g = maths.times(maths.times(maths.times(g, scale.factor), from.exponents[stage]), scale.back);
  }
  std::vector<double> centres;
  for (const auto& member : from.members) centres.insert(centres.end(), outputs, member.centre);
  if (g.empty()) g = maths.row(std::vector<double>(centres.size()));
  g = maths.times(maths.held(g, -max_param, max_param), scale.factor);
  g = maths.times(maths.op("Sub", g, maths.row(centres)), share);
  std::string sum;
  for (std::size_t m = 0; m < from.members.size(); ++m) {
    std::vector<std::int64_t> columns;
    for (std::size_t k = 0; k < outputs; ++k) columns.push_back(static_cast<std::int64_t>(m * outputs + k));
    const std::string one = maths.graph().columns(g, columns);
    sum = sum.empty() ? one : maths.op("Add", sum, one);
  }
  return maths.times(sum, scale.back);
}

}  // namespace

OnnxParams onnx_params(const ExportedTarget& model, const ExportedLocalization& from, const std::string& x, OnnxMaths& maths) {
  OnnxGraph& graph = maths.graph();
  OnnxParams params;
  const auto share = 1.0 / static_cast<double>(from.members.size());
  const auto outputs = static_cast<std::int64_t>(from.sides * from.params);
  std::vector<std::string> sums(static_cast<std::size_t>(outputs));
  for (const auto& member : from.members) {
    std::string g;
    double error = 0;
    for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
      const auto& own = member.stages[stage];
      std::vector<double> errors = {0};
      std::string part = graph.constant(own.initial, {1, outputs});
      if (!own.trees.sizes.empty()) {
        OnnxTrees trees(outputs);
        std::int64_t id = 0;
        OnnxTrees::add(own.trees, 0, id, trees, errors);
        part = maths.op("Add", trees.add_to(graph, x), part);
      }
      g = g.empty() ? part : maths.op("Add", g, part);
      error += *std::max_element(errors.begin(), errors.end());
      if (from.exponents[stage] != 1) {
        g = maths.times(g, from.exponents[stage]);
        error *= std::abs(from.exponents[stage]);
      }
    }
    const double factor = model.has_scale() ? model.scale().factor : 1;
    for (std::int64_t k = 0; k < outputs; ++k) {
      std::string one = g.empty() ? graph.constant({0}, {1, 1}) : maths.held(graph.columns(g, {k}), -max_param, max_param);
      if (model.has_scale()) one = maths.plus(maths.times(one, factor), -member.centre);
      one = maths.times(one, share);
      auto& sum = sums[static_cast<std::size_t>(k)];
      sum = sum.empty() ? one : maths.op("Add", sum, one);
    }
    params.error += share * std::abs(factor) * error;
  }
  params.u = sums;
  return params;
}

std::vector<std::string> onnx_log_scales(const ExportedTarget& model, const std::string& x, OnnxMaths& maths) {
  const DescribedScale& scale = model.scale();
  const std::string own = params_in_order(model, *model.localization, x, maths);
  const std::string other = model.other ? params_in_order(model, *model.other, x, maths) : "";
  const int own_sides = model.localization->sides, other_sides = model.other ? model.other->sides : own_sides;
  std::vector<std::string> u;
  for (int side = 0; side < std::max(own_sides, other_sides); ++side) {
    std::string one = maths.times(maths.graph().columns(own, {std::min(side, own_sides - 1)}), scale.factor);
    if (model.other) {
      const std::string two = maths.times(maths.graph().columns(other, {std::min(side, other_sides - 1)}), scale.factor);
      one = maths.times(maths.times(maths.times(maths.op("Add", one, two), 0.5), scale.back), scale.factor);
    }
    u.push_back(one);
  }
  return u;
}

}  // namespace taut
