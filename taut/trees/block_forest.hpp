// A forest prepared for many rows. It evaluates a block of rows at a time without traversing the trees; the sums are the same to
// the last bit.
//
// Cells are replaced by bytes. Whether the rows of a block go right at a node is then a vector comparison of bytes. The leaf of
// each row is found from the deepest nodes up: each node selects the leaf of its right child for rows that go right, and that of
// its left child for all others.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/cell_bytes.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taut {

struct TreeNode;

class BlockForest {
 public:
  // Returns nothing if a byte is not enough: a tree has more than 256 leaves, or a feature more than 254 thresholds.
  static std::optional<BlockForest> of(const Forest& forest);

  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

 private:
  // Rows go right if their byte in `column` is at least `cut`. `result`, `left` and `right` are positions of lists in a Block.
  struct Node {
    std::uint16_t column, result, left, right;
    std::uint8_t cut;
  };
  struct BlockTree {
    std::uint32_t first_node, first_value;
    std::uint16_t pairs, others;  // number of nodes above two leaves, which come first, and of all others, children first
    std::uint16_t root;
  };
  struct Block;

  BlockForest(const Forest& forest, CellBytes bytes);
  void add_tree(std::span<const TreeNode> tree);
  void bin(Block& block, Index rows) const;
  void add_block(Block& block) const;

  Index inputs_ = 0, outputs_ = 0;
  CellBytes bytes_;
  std::vector<Node> nodes_;
  std::vector<float> values_;
  std::vector<BlockTree> trees_;
};

}  // namespace taut
