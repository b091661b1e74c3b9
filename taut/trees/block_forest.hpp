// A forest made ready for many rows: the same sums to the last bit, a block of rows at a time without a walk.
//
// Cells become bytes. Whether the rows of a block go right at a node is then one comparison of bytes side by side, and the leaf
// of each row is put together from the deepest nodes up: what a node hands on is the leaf of its right child where the row goes
// right, else that of its left one.
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
  // Nothing where bytes are not enough: trees of more than 256 leaves, features with more than 254 thresholds.
  static std::optional<BlockForest> of(const Forest& forest);

  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

 private:
  // Rows go right where their byte in `column` is at least `cut`. What it hands on and its children are places in the block's
  // lists.
  struct Node {
    std::uint16_t column, own, left, right;
    std::uint8_t cut;
  };
  struct BlockTree {
    std::uint32_t first_node, first_value;
    std::uint16_t pairs, others;  // nodes above two leaves, which stand first, and all others, children before parents
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
