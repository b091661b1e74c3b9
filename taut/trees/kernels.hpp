// The loops of BlockForest over the rows of a block, on plain arrays and for each instruction set. All sets give the same bits.
#pragma once

#include <taut/core/instruction_set.hpp>

#include <cstddef>
#include <cstdint>

namespace taut {

constexpr std::size_t rows_of_byte_block = 256;  // the lists of a tree of depth 6 stay in the L1 cache
constexpr std::size_t max_leaves_of_byte_tree = 256;
constexpr std::size_t padding_of_leaf_values = 128;  // numbers that a kernel may read beyond the last leaf

// One byte for each row of a block.
struct ByteList {
  std::uint8_t of_row[rows_of_byte_block];
};

// Rows go right if their byte in `column` is at least `cut`. `result`, `left` and `right` are positions of lists of leaves.
struct ByteNode {
  std::uint16_t column, result, left, right;
  std::uint8_t cut;
};

struct ByteTree {
  std::uint32_t first_node, first_value;
  std::uint16_t pairs, others;  // number of nodes above two leaves, which come first, and of all others, children first
  std::uint16_t leaves;
  std::uint16_t root;
};

struct ByteTrees {
  const ByteNode* nodes;
  const float* values;  // with padding
  const ByteTree* trees;
  std::size_t count, outputs;
};

// The thresholds of a feature: ascending, padded with infinity to one less than a power of 2.
struct ByteThresholds {
  const float* values;
  std::int32_t count;
  std::int32_t first_step;  // the largest power of 2 up to `count`; 0 without thresholds
};

struct TreeKernels {
  // The byte of each cell of a block: the number of thresholds that it reaches, or `missing` for NaN.
  void (*count_reached)(const float* cells, ByteThresholds thresholds, std::uint8_t missing, ByteList& bytes);
  // Adds the leaves that rows reach to `sums`, outputs x rows. `leaves` has lists with one leaf number for each row: first a
  // constant list for each leaf, then one for each inner node, which is overwritten.
  void (*add_trees)(const ByteTrees& trees, const ByteList* columns, ByteList* leaves, float* sums);
};

namespace trees_baseline {
extern const TreeKernels kernels;
}
namespace trees_avx2 {
extern const TreeKernels kernels;
}
namespace trees_avx512 {
extern const TreeKernels kernels;
}

// The kernels for an instruction set that this processor supports.
const TreeKernels& tree_kernels(InstructionSet set);

}  // namespace taut
