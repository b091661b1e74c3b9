// A forest made ready for many rows: the same sums to the last bit, a block of rows at a time without a walk.
//
// Cells become the number of their feature's thresholds that they reach, a byte. Whether the rows of a block go right at a node
// is then one comparison of bytes side by side, and the leaf of each row is put together from the deepest nodes up: what a node
// hands on is the leaf of its right child where the row goes right, else that of its left one.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taut {

struct TreeNode;
class Forest;

class BlockForest {
 public:
  // Nothing where bytes are not enough: trees of more than 256 leaves, features with more than 254 thresholds.
  static std::optional<BlockForest> of(const Forest& forest);

  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

 private:
  using Thresholds = std::vector<std::vector<float>>;  // rising, of each feature

  // Rows go right where their byte in `column` is at least `cut`. What it hands on and its children are places in the block's
  // lists.
  struct Node {
    std::uint16_t column, own, left, right;
    std::uint8_t cut;
  };
  // The bytes of a feature: twice where some of its nodes send missing cells left and others right.
  struct BinnedColumn {
    std::uint32_t feature;
    std::uint8_t missing;  // 0: to the left of every node, 255: to the right
  };
  struct BlockTree {
    std::uint32_t first_node, first_value;
    std::uint16_t pairs, others;  // nodes above two leaves, which stand first, and all others, children before parents
    std::uint16_t root;
  };
  struct Block;

  BlockForest(const Forest& forest, const Thresholds& thresholds);
  void add_tree(std::span<const TreeNode> tree);
  std::uint16_t column_of(std::uint32_t feature, bool missing_left);
  void bin(Block& block, Index rows) const;
  void add_block(Block& block) const;

  Index inputs_ = 0, outputs_ = 0;
  std::vector<std::uint32_t> first_threshold_;  // of each feature, in thresholds_
  std::vector<std::uint16_t> counts_;           // of thresholds of each feature
  std::vector<float> thresholds_;               // rising, filled up by infinity to one less than a power of 2
  std::vector<BinnedColumn> columns_;
  std::vector<std::int32_t> places_;  // in columns_, of 2 · feature + (missing cells go right); -1: none
  std::vector<Node> nodes_;
  std::vector<float> values_;
  std::vector<BlockTree> trees_;
};

}  // namespace taut
