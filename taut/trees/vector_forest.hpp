// Shallow trees whose leaves have a number for every output, so that one traversal serves all outputs.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <span>
#include <vector>

namespace taut {

// All trees are complete and of one depth: node k has the children 2k + 1 and 2k + 2, so a traversal needs neither links nor
// branches. An early leaf is replaced by copies of it at the full depth. The outputs of a row are the sums, added as floats and
// in order, of the leaves that it reaches.
class VectorForest {
 public:
  static constexpr Index max_depth = 8;

  VectorForest() = default;
  VectorForest(Index inputs, Index outputs, Index depth);

  // The value of a leaf of `tree` is the number of its row in `leaves`.
  void add_tree(std::span<const TreeNode> tree, const MatrixF& leaves);
  void truncate(Index trees);  // keeps the first `trees` trees

  Index outputs() const { return outputs_; }
  Index trees() const { return std::ssize(nodes_) / inner(); }

  // out: rows x outputs.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

  DescribedCompleteTrees describe() const;
  void save(Archive archive) const;
  static VectorForest load(const Archive& archive, Index inputs, Index outputs);

 private:
  struct Node {
    float threshold = 0;       // a row goes right if its cell is at least this
    std::uint32_t column = 0;  // twice the input, plus 1 if a missing cell goes right
  };
  // Numbers that are added together: as many as fit into the widest vector registers.
  struct alignas(64) Line {
    static constexpr Index numbers = 16;
    float value[numbers] = {};
  };

  Index inner() const { return (Index{1} << depth_) - 1; }  // number of inner nodes of a tree
  Index ends() const { return Index{1} << depth_; }
  Index lines_of_leaf() const { return (outputs_ + Line::numbers - 1) / Line::numbers; }
  Index first_line(Index tree, Index end) const { return (tree * ends() + end) * lines_of_leaf(); }
  // Number k of consecutive lines.
  static float& number(Line* lines, Index k) { return lines[k / Line::numbers].value[k % Line::numbers]; }
  void fill(std::span<const TreeNode> tree, Index node, Index place, const MatrixF& leaves);
  template <int depth>
  Index end_of(const Node* tree, const float* x) const;
  template <int depth>
  void add_trees(const float* x, Line* sums) const;

  Index outputs_ = 0, depth_ = 0;
  std::vector<Node> nodes_;   // trees x inner
  std::vector<Line> leaves_;  // trees x ends x lines_of_leaf; padding after the outputs is 0
};

}  // namespace taut
