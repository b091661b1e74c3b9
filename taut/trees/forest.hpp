// Sums of binary trees, and functions that are sums of such forests.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/types.hpp>

#include <memory>
#include <vector>

namespace taut {

// A node of a tree. Children are positions in the same tree, and node 0 is the root. A row goes left if x[feature] < value, right
// if x[feature] >= value. If x[feature] is NaN it goes left exactly if missing_left.
struct TreeNode {
  std::int32_t left = -1;  // -1: a leaf, which adds its `value`
  std::int32_t right = -1;
  std::int32_t feature = -1;
  bool missing_left = false;
  float value = 0;
  float cover = 0;  // of a leaf: the number of training rows that reached it, or their weight; 0: unknown
};

// A sum of binary trees. Trees come in rounds of one tree per output. Output k of a row is the sum, added as floats and in order,
// of the leaves that the row reaches in the trees k, k + outputs, k + 2 outputs ... One row takes one or two microseconds.
class Forest {
 public:
  Forest() = default;
  Forest(Index inputs, Index outputs);

  void add_tree(std::span<const TreeNode> tree);
  void truncate(Index rounds);  // keeps the first `rounds` rounds

  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }
  Index trees() const { return static_cast<Index>(roots_.size()); }
  Index rounds() const { return outputs_ == 0 ? 0 : trees() / outputs_; }
  Index nodes() const { return static_cast<Index>(nodes_.size()); }
  Index depth() const;  // of the deepest tree; a lone leaf has depth 0
  // A tree in breadth-first order: parents come before their children, and siblings are adjacent.
  std::vector<TreeNode> tree(Index which) const;
  // Whether every tree has the numbers of rows that reached its leaves. Trees of other libraries may not have them.
  bool has_covers() const;

  // out: rows x outputs.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;
  // After some calls the forest prepares a faster form for single rows. Several threads may call this.
  void evaluate_row(std::span<const float> x, std::span<double> out) const;

  DescribedTrees describe() const;
  void save(Archive archive) const;
  static Forest load(const Archive& archive, Index inputs, Index outputs);

 private:
  // Children are adjacent, so one comparison selects between them without a branch. A leaf is its own left child and compares a
  // column after the inputs that is always NaN. So a traversal stays at a leaf, and all rows of a block take the same number of
  // steps.
  struct Node {
    float value;
    std::uint32_t column;  // twice the feature, plus 1 when a missing cell goes right
    std::uint32_t left;
  };
  template <bool has_missing>
  static std::uint32_t step(const Node* nodes, std::uint32_t node, const float* row);
  template <bool has_missing>
  void add_block(const float* rows, float* sums) const;
  template <bool has_missing>
  void add_row(const float* row, float* sums) const;
  bool add_ready_row(const float* row, float* sums) const;  // returns false if the faster form does not exist (yet)
  bool is_leaf(std::size_t node) const { return nodes_[node].left == node; }
  std::size_t end_of(std::size_t tree) const { return tree + 1 < roots_.size() ? roots_[tree + 1] : nodes_.size(); }
  std::size_t stride() const { return static_cast<std::size_t>(inputs_) + 1; }

  Index inputs_ = 0;
  Index outputs_ = 0;
  std::vector<Node> nodes_;           // each tree breadth first
  std::vector<float> covers_;         // of the same nodes; 0 for inner nodes
  std::vector<std::uint32_t> roots_;  // of each tree, in nodes_
  std::vector<std::int32_t> depths_;  // of each tree
  struct ForRows;
  std::shared_ptr<ForRows> for_rows_;  // the faster form; copies share it, a change makes a new one; null without trees
};

// One output of a forest, times a weight.
struct ForestTerm {
  std::shared_ptr<const Forest> forest = {};
  Index output = 0;
  double weight = 1;

  // Does not own the forest, which must outlive the term.
  static ForestTerm of(const Forest& forest, Index output = 0) { return {{std::shared_ptr<const Forest>(), &forest}, output}; }
};

// A function as a sum, for explanations: constant + Σ weight · forest(x) + weights · x. It is valid until the object that
// returned it changes.
struct AdditiveForm {
  double constant = 0;
  std::vector<ForestTerm> forests = {};
  std::vector<double> weights = {};  // of the first inputs, whose means over the training rows are 0; the others have weight 0
};

}  // namespace taut
