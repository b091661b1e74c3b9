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
  // By the ONNX standard the output is always float; some runtimes return doubles for doubles. The cast handles both.
  return graph.cast(graph.node("TreeEnsembleRegressor", {inputs}, attributes, 1, "ai.onnx.ml").front(), G::double_type);
}

double OnnxTrees::add_tree(const DescribedTrees& trees, std::int64_t t, std::size_t at, std::int64_t id, std::int64_t target) {
  std::int64_t child = 1;
  double largest = 0;
  for (std::int64_t i = 0; i < trees.sizes[static_cast<std::size_t>(t)]; ++i, ++at) {
    const auto value = static_cast<double>(trees.values[at]);
    if (trees.features[at] >= 0) {
      node(id, i, "BRANCH_LT", trees.features[at], value, child, child + 1, trees.missing_left[at] != 0);
      child += 2;
      continue;
    }
    leaf(id, i);
    weight(id, i, target, value);
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

void OnnxTrees::add(const DescribedTrees& trees, std::int64_t first, std::int64_t& tree_id, OnnxTrees& to,
                    std::vector<double>& error) {
  std::vector<FloatSum> sums(static_cast<std::size_t>(trees.outputs));
  std::size_t at = 0;
  for (std::size_t t = 0; t < trees.sizes.size(); ++t) {
    const std::size_t output = t % static_cast<std::size_t>(trees.outputs);
    const auto tree = static_cast<std::int64_t>(t);
    sums[output].add(to.add_tree(trees, tree, at, tree_id++, first + static_cast<std::int64_t>(output)));
    at += static_cast<std::size_t>(trees.sizes[t]);
  }
  for (const FloatSum& sum : sums) error.push_back(sum.error());
}

double OnnxTrees::add(const DescribedQuantiles::Member& member, std::int64_t& tree, OnnxTrees& to) {
  const auto inner = (std::int64_t{1} << member.trees.depth) - 1;
  const auto outputs = static_cast<std::int64_t>(member.initial.size());
  const auto count = std::ssize(member.trees.features) / inner;
  std::vector<FloatSum> sums(static_cast<std::size_t>(outputs));
  for (Index t = 0; t < count; ++t, ++tree) {
    std::vector<double> largest(sums.size());
    for (std::int64_t i = 0; i < inner; ++i) {
      const auto at = static_cast<std::size_t>(t * inner + i);
      to.node(tree, i, "BRANCH_LT", member.trees.features[at], static_cast<double>(member.trees.values[at]), 2 * i + 1, 2 * i + 2,
              member.trees.missing_left[at] != 0);
    }
    for (std::int64_t leaf = 0; leaf <= inner; ++leaf) {
      to.leaf(tree, inner + leaf);
      for (std::int64_t k = 0; k < outputs; ++k) {
        const auto value =
            static_cast<double>(member.trees.leaves[static_cast<std::size_t>((t * (inner + 1) + leaf) * outputs + k)]);
        to.weight(tree, inner + leaf, k, value);
        double& of_output = largest[static_cast<std::size_t>(k)];
        of_output = std::max(of_output, std::abs(value));
      }
    }
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].add(largest[k]);
  }
  double error = 0;
  for (const FloatSum& sum : sums) error = std::max(error, sum.error());
  return error;
}

}  // namespace taut
