// A forest prepared for many rows. It evaluates a block of rows at a time without traversing the trees; the sums are the same to
// the last bit.
//
// Cells are replaced by bytes. Whether the rows of a block go right at a node is then a vector comparison of bytes. The leaf of
// each row is found from the deepest nodes up: each node selects the leaf of its right child for rows that go right, and that of
// its left child for all others.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/cell_bytes.hpp>
#include <taut/trees/kernels.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace taut {

struct TreeNode;

class BlockForest {
 public:
  // Returns nothing if a byte is not enough: a tree has more than 256 leaves, or a feature more than 254 thresholds.
  static std::optional<BlockForest> of(const Forest& forest);

  // `set`: this processor supports it.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads, InstructionSet set = instruction_set()) const;

 private:
  struct Block;

  BlockForest(const Forest& forest, CellBytes bytes);
  void add_tree(std::span<const TreeNode> tree);
  void bin(Block& block, Index rows, const TreeKernels& kernels) const;

  Index inputs_ = 0, outputs_ = 0;
  CellBytes bytes_;
  std::vector<ByteNode> nodes_;
  std::vector<float> values_;
  std::vector<ByteTree> trees_;
};

}  // namespace taut
