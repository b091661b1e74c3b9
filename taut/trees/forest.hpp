// Sums of binary trees, and functions that are made of such sums.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/types.hpp>

#include <memory>
#include <vector>

namespace taut {

// A sum of binary trees, however they were grown. One row costs a microsecond or two.

// A node of a tree to be added: children by position in the same tree, node 0 is the root. A row goes left when
// x[feature] < value, right when x[feature] >= value, and where missing_left says when x[feature] is NaN.
struct TreeNode {
  std::int32_t left = -1;  // -1: a leaf, whose `value` is what it adds
  std::int32_t right = -1;
  std::int32_t feature = -1;
  bool missing_left = false;
  float value = 0;
  float cover = 0;  // of a leaf: how many training rows reached it, or their weight; 0: unknown
};

// Trees come in rounds of one tree per output; output k of a row is the sum, in float and in order, of the leaves that the
// row reaches in the trees k, k + outputs, k + 2 outputs ...
class Forest {
 public:
  Forest() = default;
  Forest(Index inputs, Index outputs);

  void add_tree(std::span<const TreeNode> tree);
  void truncate(Index rounds);  // keeps the first ones

  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }
  Index trees() const { return static_cast<Index>(roots_.size()); }
  Index rounds() const { return outputs_ == 0 ? 0 : trees() / outputs_; }
  Index nodes() const { return static_cast<Index>(nodes_.size()); }
  Index depth() const;  // of the deepest tree; a lone leaf has depth 0
  // A tree as it was added, breadth first, so that parents stand before their children, which stand side by side.
  std::vector<TreeNode> tree(Index which) const;
  // Every tree knows how many rows reached its leaves. Trees of another library do not say.
  bool has_covers() const;

  // out: rows x outputs.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;
  // After some rows the forest makes itself ready for single ones. Any thread may ask.
  void evaluate_row(std::span<const float> x, std::span<double> out) const;

  DescribedTrees describe() const;
  void save(Archive archive) const;
  static Forest load(const Archive& archive, Index inputs, Index outputs);

 private:
  // Children stand side by side, so one comparison picks between them without a branch. A leaf is its own left child and
  // looks at a column beyond the inputs that is always NaN: walking on from it stays there, so all rows of a block take
  // the same number of steps.
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
  bool add_ready_row(const float* row, float* sums) const;  // false until enough rows have asked
  bool is_leaf(std::size_t node) const { return nodes_[node].left == node; }
  std::size_t end_of(std::size_t tree) const { return tree + 1 < roots_.size() ? roots_[tree + 1] : nodes_.size(); }
  std::size_t stride() const { return static_cast<std::size_t>(inputs_) + 1; }

  Index inputs_ = 0;
  Index outputs_ = 0;
  std::vector<Node> nodes_;           // each tree breadth first
  std::vector<float> covers_;         // of the same nodes; 0 for those that are no leaves
  std::vector<std::uint32_t> roots_;  // of each tree, in nodes_
  std::vector<std::int32_t> depths_;  // of each tree
  struct ForRows;
  std::shared_ptr<ForRows> for_rows_;  // of these trees: copies share it, a change makes a new one; null without trees
};

// What a function of the inputs is made of, where it is a sum that others can take apart: for those who explain it.

class Forest;

// One output of a forest, times a weight.
struct ForestTerm {
  std::shared_ptr<const Forest> forest = {};
  Index output = 0;
  double weight = 1;

  // A forest that belongs to someone else.
  static ForestTerm of(const Forest& forest, Index output = 0) { return {{std::shared_ptr<const Forest>(), &forest}, output}; }
};

// constant + Σ weight · forest(x) + weights · x. Valid as long as what it was asked of is not changed.
struct AdditiveForm {
  double constant = 0;
  std::vector<ForestTerm> forests = {};
  std::vector<double> weights = {};  // of the first inputs, whose means over training rows are 0; the others have none
};

}  // namespace taut
