#include <taut/trees/row_forest.hpp>

#include <taut/trees/forest.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace taut {

namespace {

constexpr std::size_t trees_in_flight = 32;  // each walk waits for memory, so many together cost little more than one
constexpr std::size_t most_columns = 255;
constexpr std::uint8_t always_zero = 255;

}  // namespace

std::optional<RowForest> RowForest::of(const Forest& forest) {
  auto bytes = CellBytes::of(forest);
  if (!bytes) return {};
  RowForest made(std::move(*bytes));
  made.outputs_ = static_cast<std::size_t>(forest.outputs());
  for (Index which = 0; which < forest.trees(); ++which) {
    const auto tree = forest.tree(which);
    if (tree.size() > std::numeric_limits<std::uint16_t>::max()) return {};
    made.roots_.push_back(static_cast<std::uint32_t>(made.nodes_.size()));
    std::vector<std::int32_t> depth(tree.size(), 0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const TreeNode& node = tree[i];
      if (node.left < 0) {
        made.nodes_.push_back(RowForest::node(always_zero, 1, i));
        made.values_.push_back(node.value);
        continue;
      }
      const auto feature = static_cast<std::uint32_t>(node.feature);
      const std::uint16_t column = made.bytes_.column_of(feature, node.missing_left);
      if (column >= most_columns) return {};
      const std::uint8_t cut = made.bytes_.cut_of(feature, node.value);
      made.nodes_.push_back(RowForest::node(column, cut, static_cast<std::size_t>(node.left)));
      made.values_.push_back(0);
      for (const std::int32_t child : {node.left, node.right}) depth[static_cast<std::size_t>(child)] = depth[i] + 1;
    }
    made.depths_.push_back(depth.back());
  }
  return made;
}

void RowForest::add_row(const float* row, float* sums) const {
  std::array<std::uint32_t, most_columns + 1> cells;  // words, so that several can be fetched at once
  bytes_.of_row(row, cells.data());
  cells[always_zero] = 0;
  const Node* const nodes = nodes_.data();
  for (std::size_t first = 0; first < roots_.size(); first += trees_in_flight) {
    const std::size_t count = std::min(trees_in_flight, roots_.size() - first);
    std::array<std::uint32_t, trees_in_flight> root{}, at;
    std::int32_t steps = 0;
    for (std::size_t k = 0; k < count; ++k) {
      root[k] = roots_[first + k];
      steps = std::max(steps, depths_[first + k]);
    }
    at = root;
    for (std::int32_t taken = 0; taken < steps; ++taken)
      for (std::size_t k = 0; k < trees_in_flight; ++k) {
        const Node node = nodes[at[k]];
        at[k] = root[k] + (node >> 16U) + (cells[node & 255U] >= (node >> 8U & 255U) ? 1U : 0U);
      }
    for (std::size_t k = 0; k < count; ++k) sums[(first + k) % outputs_] += values_[at[k]];
  }
}

}  // namespace taut
