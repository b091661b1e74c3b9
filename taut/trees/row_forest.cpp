#include <taut/trees/row_forest.hpp>

#include <taut/trees/forest.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace taut {

namespace {

constexpr std::size_t trees_together = 64;  // even; the lower levels are prefetched while the upper ones are traversed

SplitAnswers::Split split_of(const TreeNode& node) { return {node.feature, node.missing_left, node.value}; }

// The position, among the nodes of that level, that a row reaches after `levels` levels. `nodes` are stored as in a Top.
template <int levels>
std::size_t walk(const SplitAnswers::Number* nodes, const std::uint8_t* right) {
  std::size_t at = 0;
  for (int level = 0; level < levels; ++level) at = 2 * at + 1 + right[nodes[at]];
  return at + 1 - (std::size_t{1} << levels);
}

}  // namespace

std::optional<CompleteForest> CompleteForest::of(const Forest& forest) {
  const Index depth = forest.depth();
  if (depth > top_levels + max_low_levels || forest.trees() % forest.outputs() != 0) return {};
  // A complete tree of depth 8 has 255 inner nodes and 256 leaves. Real trees usually have half as many.
  constexpr Index max_growth = 8;
  if (forest.trees() << std::max<Index>(depth + 1, top_levels + 1) > max_growth * forest.nodes()) return {};
  std::vector<SplitAnswers::Split> splits;
  for (Index which = 0; which < forest.trees(); ++which)
    for (const TreeNode& node : forest.tree(which))
      if (node.left >= 0) splits.push_back(split_of(node));
  auto answers = SplitAnswers::of(std::move(splits));
  if (!answers) return {};
  CompleteForest made(std::move(*answers), forest.outputs());
  made.tops_.resize(static_cast<std::size_t>(forest.trees()));
  switch (depth - top_levels) {
    case 1:
      made.lows_.emplace<1>();
      break;
    case 2:
      made.lows_.emplace<2>();
      break;
    case 3:
      made.lows_.emplace<3>();
      break;
    default:
      made.lows_.emplace<0>();
  }
  std::visit([&](auto& lows) { made.fill(forest, lows); }, made.lows_);
  return made;
}

template <int levels>
void CompleteForest::fill(const Forest& forest, Lows<levels>& lows) {
  lows.resize(tops_.size() * ends_of_top);
  for (std::size_t which = 0; which < tops_.size(); ++which) {
    const auto tree = forest.tree(static_cast<Index>(which));
    Low<levels>* const below = lows.data() + which * ends_of_top;
    // Below an early leaf rows go left, because unset split numbers are 0 (`never`).
    std::vector<std::pair<std::size_t, std::size_t>> places(tree.size());  // of each node: its level and its position there
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const TreeNode& node = tree[i];
      auto [level, place] = places[i];
      if (node.left < 0) {
        place <<= top_levels + levels - level;
        below[place >> levels].values[place % Low<levels>::ends] = node.value;
        continue;
      }
      const bool is_top = level < top_levels;
      const std::size_t depth = is_top ? level : level - top_levels;
      const std::size_t end = is_top ? 0 : place >> depth;
      Number* const nodes = is_top ? tops_[which].nodes : below[end].nodes;
      nodes[(std::size_t{1} << depth) - 1 + place - (end << depth)] = splits_.number(split_of(node));
      places[static_cast<std::size_t>(node.left)] = {level + 1, 2 * place};
      places[static_cast<std::size_t>(node.right)] = {level + 1, 2 * place + 1};
    }
  }
}

void CompleteForest::add_row(const float* row, float* sums) const {
  std::array<std::uint8_t, 8192> near_answers;  // only larger forests need an allocation
  std::vector<std::uint8_t> far_answers(splits_.numbers() > near_answers.size() ? splits_.numbers() : 0);
  std::uint8_t* const right = far_answers.empty() ? near_answers.data() : far_answers.data();
  splits_.of_row(row, right);
  std::visit([&](const auto& lows) { add_trees(right, lows, sums); }, lows_);
}

template <int levels>
void CompleteForest::add_trees(const std::uint8_t* right, const Lows<levels>& lows, float* sums) const {
  std::array<const Low<levels>*, trees_together> below;
  const auto leaf = [&](std::size_t k) { return below[k]->values[walk<levels>(below[k]->nodes, right)]; };
  // With one or two outputs the sums stay in registers. Trees of different outputs alternate.
  float first_sum = sums[0], last_sum = sums[outputs_ - 1];
  for (std::size_t first = 0; first < tops_.size(); first += trees_together) {
    const std::size_t count = std::min(trees_together, tops_.size() - first);
    for (std::size_t k = 0; k < count; ++k) {
      below[k] = &lows[(first + k) * ends_of_top + walk<top_levels>(tops_[first + k].nodes, right)];
      __builtin_prefetch(below[k]);
    }
    if (outputs_ == 1) {
      for (std::size_t k = 0; k < count; ++k) first_sum += leaf(k);
    } else if (outputs_ == 2) {
      for (std::size_t k = 0; k < count; k += 2) {
        first_sum += leaf(k);
        last_sum += leaf(k + 1);
      }
    } else {
      for (std::size_t k = 0, output = first % outputs_; k < count; ++k, output = output + 1 == outputs_ ? 0 : output + 1)
        sums[output] += leaf(k);
    }
  }
  if (outputs_ <= 2) {
    sums[outputs_ - 1] = last_sum;
    sums[0] = first_sum;
  }
}

namespace {

constexpr std::size_t trees_in_flight = 32;  // each traversal waits for memory; 32 at a time cost little more than one
constexpr std::size_t max_columns = 255;
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
      if (column >= max_columns) return {};
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
  std::array<std::uint32_t, max_columns + 1> cells;  // words, so that gather instructions can load several at once
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
