#include <taut/trees/block_forest.hpp>

#include <taut/core/threads.hpp>
#include <taut/trees/forest.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace taut {

// The buffers of a block of rows; see TreeKernels.
struct BlockForest::Block {
  std::vector<ByteList> columns, leaves;
  std::vector<float> cells, sums;
  std::array<float, rows_of_byte_block> column{};

  Block(std::size_t binned, std::size_t inputs, std::size_t outputs)
      : columns(binned),
        leaves(2 * max_leaves_of_byte_tree),
        cells(inputs * rows_of_byte_block),
        sums(outputs * rows_of_byte_block) {
    for (std::size_t leaf = 0; leaf < max_leaves_of_byte_tree; ++leaf)
      std::fill_n(leaves[leaf].of_row, rows_of_byte_block, static_cast<std::uint8_t>(leaf));
  }
};

std::optional<BlockForest> BlockForest::of(const Forest& forest) {
  for (Index which = 0; which < forest.trees(); ++which)
    if (forest.tree(which).size() >= 2 * max_leaves_of_byte_tree) return {};
  auto bytes = CellBytes::of(forest);
  if (!bytes) return {};
  return BlockForest(forest, std::move(*bytes));
}

BlockForest::BlockForest(const Forest& forest, CellBytes bytes)
    : inputs_(forest.inputs()), outputs_(forest.outputs()), bytes_(std::move(bytes)) {
  for (Index which = 0; which < forest.trees(); ++which) add_tree(forest.tree(which));
  values_.resize(values_.size() + padding_of_leaf_values);
}

// `tree` is stored breadth first, so that adjacent leaves get adjacent numbers.
void BlockForest::add_tree(std::span<const TreeNode> tree) {
  std::vector<std::uint16_t> list(tree.size());
  ByteTree made{static_cast<std::uint32_t>(nodes_.size()), static_cast<std::uint32_t>(values_.size()), 0, 0, 0, 0};
  std::uint16_t leaves = 0, inner = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const bool is_leaf = tree[i].left < 0;
    list[i] = is_leaf ? leaves++ : static_cast<std::uint16_t>(max_leaves_of_byte_tree + inner++);
    if (is_leaf) values_.push_back(tree[i].value);
  }
  const auto add = [&](bool pairs) {
    for (std::size_t i = tree.size(); i-- > 0;) {
      const TreeNode& node = tree[i];
      if (node.left < 0) continue;
      const std::uint16_t left = list[static_cast<std::size_t>(node.left)], right = list[static_cast<std::size_t>(node.right)];
      if ((left < max_leaves_of_byte_tree && right < max_leaves_of_byte_tree) != pairs) continue;
      const auto feature = static_cast<std::uint32_t>(node.feature);
      nodes_.push_back({bytes_.column_of(feature, node.missing_left), list[i], left, right, bytes_.cut_of(feature, node.value)});
      ++(pairs ? made.pairs : made.others);
    }
  };
  add(true);
  add(false);
  made.leaves = leaves;
  made.root = list[0];
  trees_.push_back(made);
}

// Computes the byte of each cell: the number of thresholds of its feature that it reaches.
void BlockForest::bin(Block& block, Index rows, const TreeKernels& kernels) const {
  const auto count = static_cast<std::size_t>(rows);
  std::uint32_t feature = std::numeric_limits<std::uint32_t>::max();
  std::size_t last = 0;
  for (std::size_t c = 0; c < bytes_.columns().size(); ++c) {
    const CellBytes::Column& column = bytes_.columns()[c];
    if (column.feature != feature) {
      feature = column.feature;
      const float* cells = block.cells.data() + feature;
      for (std::size_t r = 0; r < count; ++r) block.column[r] = cells[r * static_cast<std::size_t>(inputs_)];
      const auto thresholds = bytes_.count(feature);
      kernels.count_reached(block.column.data(),
                            {bytes_.thresholds(feature), thresholds, static_cast<std::int32_t>(std::bit_floor(thresholds))},
                            column.missing, block.columns[c]);
    } else {  // the second column of a feature has another byte for missing cells
      for (std::size_t r = 0; r < rows_of_byte_block; ++r)
        block.columns[c].of_row[r] = block.column[r] != block.column[r] ? column.missing : block.columns[last].of_row[r];
    }
    last = c;
  }
}

void BlockForest::evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads, InstructionSet set) const {
  const auto inputs = static_cast<std::size_t>(inputs_);
  const TreeKernels& kernels = tree_kernels(set);
  const ByteTrees trees{nodes_.data(), values_.data(), trees_.data(), trees_.size(), static_cast<std::size_t>(outputs_)};
  parallel_blocks(x.rows(), 8 * static_cast<Index>(rows_of_byte_block), threads, [&](Index begin, Index end) {
    Block block(bytes_.columns().size(), inputs, static_cast<std::size_t>(outputs_));
    for (Index first = begin; first < end; first += static_cast<Index>(rows_of_byte_block)) {
      const Index count = std::min(static_cast<Index>(rows_of_byte_block), end - first);
      for (Index r = 0; r < count; ++r)
        std::copy_n(x.row(first + r).data(), inputs, block.cells.data() + static_cast<std::size_t>(r) * inputs);
      bin(block, count, kernels);
      std::fill(block.sums.begin(), block.sums.end(), 0.0F);
      kernels.add_trees(trees, block.columns.data(), block.leaves.data(), block.sums.data());
      for (Index r = 0; r < count; ++r)
        for (Index k = 0; k < outputs_; ++k)
          out(first + r, k) =
              static_cast<double>(block.sums[static_cast<std::size_t>(k) * rows_of_byte_block + static_cast<std::size_t>(r)]);
    }
  });
}

}  // namespace taut
