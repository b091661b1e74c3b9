#include <taut/trees/block_forest.hpp>

#include <taut/core/threads.hpp>
#include <taut/trees/forest.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace taut {

namespace {

constexpr std::size_t rows_of_byte_block = 256;  // the lists of a tree of depth 6 stay in the L1 cache
constexpr std::size_t max_leaves = 256;

using Bytes = std::array<std::uint8_t, rows_of_byte_block>;

// The leaf of each row below a node whose children are the leaves `left` and left + 1.
inline void select_leaf(const std::uint8_t* __restrict cells, std::uint8_t cut, std::uint8_t left,
                        std::uint8_t* __restrict result) {
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) result[r] = static_cast<std::uint8_t>(left + (cells[r] >= cut ? 1 : 0));
}

// The leaf of each row below any other node. It has no branch, and no load that depends on the comparison.
inline void select_child(const std::uint8_t* __restrict cells, std::uint8_t cut, const std::uint8_t* __restrict left,
                         const std::uint8_t* __restrict right, std::uint8_t* __restrict result) {
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) {
    const std::uint8_t goes_right = cells[r] >= cut ? 255 : 0;
    result[r] = static_cast<std::uint8_t>(left[r] ^ ((left[r] ^ right[r]) & goes_right));
  }
}

}  // namespace

// The buffers of a block of rows. `leaves` has lists with one leaf number per row: first a constant list for each leaf, then one
// list for each inner node.
struct BlockForest::Block {
  std::vector<Bytes> columns, leaves;
  std::vector<float> cells, sums;
  std::array<float, rows_of_byte_block> column{};
  std::array<std::int32_t, rows_of_byte_block> places;

  Block(std::size_t binned, std::size_t inputs, std::size_t outputs)
      : columns(binned), leaves(2 * max_leaves), cells(inputs * rows_of_byte_block), sums(outputs * rows_of_byte_block) {
    for (std::size_t leaf = 0; leaf < max_leaves; ++leaf) leaves[leaf].fill(static_cast<std::uint8_t>(leaf));
  }
};

std::optional<BlockForest> BlockForest::of(const Forest& forest) {
  for (Index which = 0; which < forest.trees(); ++which)
    if (forest.tree(which).size() >= 2 * max_leaves) return {};
  auto bytes = CellBytes::of(forest);
  if (!bytes) return {};
  return BlockForest(forest, std::move(*bytes));
}

BlockForest::BlockForest(const Forest& forest, CellBytes bytes)
    : inputs_(forest.inputs()), outputs_(forest.outputs()), bytes_(std::move(bytes)) {
  for (Index which = 0; which < forest.trees(); ++which) add_tree(forest.tree(which));
}

// `tree` is stored breadth first, so that adjacent leaves get adjacent numbers.
void BlockForest::add_tree(std::span<const TreeNode> tree) {
  std::vector<std::uint16_t> list(tree.size());
  BlockTree made{static_cast<std::uint32_t>(nodes_.size()), static_cast<std::uint32_t>(values_.size()), 0, 0, 0};
  std::uint16_t leaves = 0, inner = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const bool is_leaf = tree[i].left < 0;
    list[i] = is_leaf ? leaves++ : static_cast<std::uint16_t>(max_leaves + inner++);
    if (is_leaf) values_.push_back(tree[i].value);
  }
  const auto add = [&](bool pairs) {
    for (std::size_t i = tree.size(); i-- > 0;) {
      const TreeNode& node = tree[i];
      if (node.left < 0) continue;
      const std::uint16_t left = list[static_cast<std::size_t>(node.left)], right = list[static_cast<std::size_t>(node.right)];
      if ((left < max_leaves && right < max_leaves) != pairs) continue;
      const auto feature = static_cast<std::uint32_t>(node.feature);
      nodes_.push_back({bytes_.column_of(feature, node.missing_left), list[i], left, right, bytes_.cut_of(feature, node.value)});
      ++(pairs ? made.pairs : made.others);
    }
  };
  add(true);
  add(false);
  made.root = list[0];
  trees_.push_back(made);
}

// Computes the number of thresholds of its feature that each cell reaches: a binary search without branches, for all rows of the
// block together.
void BlockForest::bin(Block& block, Index rows) const {
  const auto count = static_cast<std::size_t>(rows);
  std::uint32_t feature = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t c = 0; c < bytes_.columns().size(); ++c) {
    const CellBytes::Column& column = bytes_.columns()[c];
    if (column.feature != feature) {
      feature = column.feature;
      const float* cells = block.cells.data() + feature;
      for (std::size_t r = 0; r < count; ++r) block.column[r] = cells[r * static_cast<std::size_t>(inputs_)];
      const float* thresholds = bytes_.thresholds(feature);
      block.places.fill(0);
      for (std::int32_t half = static_cast<std::int32_t>(std::bit_floor(bytes_.count(feature))); half > 0; half /= 2)
        for (std::size_t r = 0; r < rows_of_byte_block; ++r)
          block.places[r] += block.column[r] >= thresholds[block.places[r] + half - 1] ? half : 0;
    }
    const auto maximum = static_cast<std::int32_t>(bytes_.count(feature));
    const std::int32_t absent = column.missing;
    for (std::size_t r = 0; r < rows_of_byte_block; ++r) {
      const std::int32_t reached = std::min(block.places[r], maximum);
      block.columns[c][r] = static_cast<std::uint8_t>(block.column[r] != block.column[r] ? absent : reached);
    }
  }
}

void BlockForest::add_block(Block& block) const {
  const auto outputs = static_cast<std::size_t>(outputs_);
  std::fill(block.sums.begin(), block.sums.end(), 0.0F);
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const BlockTree& tree = trees_[t];
    const Node* node = nodes_.data() + tree.first_node;
    for (const Node* const end = node + tree.pairs; node != end; ++node)
      select_leaf(block.columns[node->column].data(), node->cut, static_cast<std::uint8_t>(node->left),
                  block.leaves[node->result].data());
    for (const Node* const end = node + tree.others; node != end; ++node)
      select_child(block.columns[node->column].data(), node->cut, block.leaves[node->left].data(),
                   block.leaves[node->right].data(), block.leaves[node->result].data());
    const Bytes& leaf = block.leaves[tree.root];
    const float* values = values_.data() + tree.first_value;
    float* sums = block.sums.data() + t % outputs * rows_of_byte_block;
    constexpr std::size_t together = 8;
    for (std::size_t r = 0; r < rows_of_byte_block; r += together) {
      std::array<float, together> added;
      for (std::size_t k = 0; k < together; ++k) added[k] = values[leaf[r + k]];
      for (std::size_t k = 0; k < together; ++k) sums[r + k] += added[k];
    }
  }
}

void BlockForest::evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const {
  const auto inputs = static_cast<std::size_t>(inputs_);
  parallel_blocks(x.rows(), 8 * static_cast<Index>(rows_of_byte_block), threads, [&](Index begin, Index end) {
    Block block(bytes_.columns().size(), inputs, static_cast<std::size_t>(outputs_));
    for (Index first = begin; first < end; first += static_cast<Index>(rows_of_byte_block)) {
      const Index count = std::min(static_cast<Index>(rows_of_byte_block), end - first);
      for (Index r = 0; r < count; ++r)
        std::copy_n(x.row(first + r).data(), inputs, block.cells.data() + static_cast<std::size_t>(r) * inputs);
      bin(block, count);
      add_block(block);
      for (Index r = 0; r < count; ++r)
        for (Index k = 0; k < outputs_; ++k)
          out(first + r, k) =
              static_cast<double>(block.sums[static_cast<std::size_t>(k) * rows_of_byte_block + static_cast<std::size_t>(r)]);
    }
  });
}

}  // namespace taut
