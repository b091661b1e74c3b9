// Shallow trees whose leaves add several numbers at once: one walk for all outputs.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <span>
#include <vector>

namespace taut {

// All trees are complete and of one depth: node k has the children 2k + 1 and 2k + 2, so a walk needs neither links nor branches.
// A branch that ends earlier is filled up with copies of its leaf. The outputs of a row are the sums, in float and in order, of
// the leaves that it reaches.
class VectorForest {
 public:
  static constexpr Index most_depth = 8;

  VectorForest() = default;
  VectorForest(Index inputs, Index outputs, Index depth);

  // Leaves of `tree` have as their value the row of `leaves` that they add.
  void add_tree(std::span<const TreeNode> tree, const MatrixF& leaves);
  void truncate(Index trees);  // keeps the first ones

  Index outputs() const { return outputs_; }
  Index trees() const { return std::ssize(nodes_) / inner(); }

  // out: rows x outputs.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

  DescribedCompleteTrees describe() const;
  void save(Archive archive) const;
  static VectorForest load(const Archive& archive, Index inputs, Index outputs);

 private:
  struct Node {
    float threshold = 0;       // a row goes right when its cell is not smaller
    std::uint32_t column = 0;  // twice the input, plus 1 when a missing cell goes right
  };
  // Numbers that are added together, as many as the fastest machines do at once.
  struct alignas(64) Line {
    static constexpr Index numbers = 16;
    float value[numbers] = {};
  };

  Index inner() const { return (Index{1} << depth_) - 1; }  // nodes of a tree that are no leaves
  Index ends() const { return Index{1} << depth_; }
  Index lines_of_leaf() const { return (outputs_ + Line::numbers - 1) / Line::numbers; }
  Index first_line(Index tree, Index end) const { return (tree * ends() + end) * lines_of_leaf(); }
  // Number k of some lines that stand one after another.
  static float& number(Line* lines, Index k) { return lines[k / Line::numbers].value[k % Line::numbers]; }
  void fill(std::span<const TreeNode> tree, Index node, Index place, const MatrixF& leaves);
  template <int depth>
  Index end_of(const Node* tree, const float* x) const;
  template <int depth>
  void add_trees(const float* x, Line* sums) const;

  Index outputs_ = 0, depth_ = 0;
  std::vector<Node> nodes_;   // trees x inner
  std::vector<Line> leaves_;  // trees x ends x lines_of_leaf; what is beyond the outputs is 0
};

}  // namespace taut
