#include <taut/trees/monotone.hpp>

#include <taut/core/trace.hpp>

#include <algorithm>
#include <utility>

namespace taut {

namespace {

constexpr double negligible_gain = 1e-6;  // a smaller gain may be a rounding error and does not count

// Keeps the best split, as the search without directions does.
class OrderedSearch {
 public:
  OrderedSearch(const Sums& total, const SplitRules& rules)
      : total_(total), rules_(rules), best_(gain(total) + std::max(rules.min_gain, negligible_gain)) {}

  void offer(const Sums& left, Index column, Index threshold, bool missing_left, Direction direction) {
    const Sums right = total_ - left;
    if (left[1] < rules_.min_weight || right[1] < rules_.min_weight) return;
    // The leaves are −G/(H + λ).
    const double rise = left[0] * (right[1] + rules_.lambda) - right[0] * (left[1] + rules_.lambda);
    if (direction == Direction::increasing ? rise < 0 : direction == Direction::decreasing && rise > 0) return;
    const double sum = gain(left) + gain(right);
    if (!(sum > best_)) return;
    best_ = sum;
    split_ = {column, threshold, missing_left, left};
  }

  const Split& split() const { return split_; }

 private:
  double gain(const Sums& sums) const { return sums[0] * sums[0] / (sums[1] + rules_.lambda); }

  Sums total_;
  SplitRules rules_;
  double best_;
  Split split_;
};

}  // namespace

Split best_ordered_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules,
                         const InputDirections& directions) {
  const TracedPart traced("split search");
  OrderedSearch search(total, rules);
  if (total[1] < 2 * rules.min_weight) return search.split();
  for (const BinRange& range : ranges) {
    const Direction direction = directions[static_cast<std::size_t>(range.column)];
    if (direction == Direction::unused) continue;
    const Sums* bins = histogram + range.begin;
    const Sums& absent = bins[range.values];
    const bool has_missing = absent[0] != 0 || absent[1] != 0;
    Sums left = Sums::Zero();
    for (Index bin = 0; bin + 1 < range.values; ++bin) {
      left += bins[bin];
      search.offer(left, range.column, bin, false, direction);
      if (has_missing) search.offer(left + absent, range.column, bin, true, direction);
    }
  }
  return search.split();
}

namespace {

// The cells of one input that lead to a leaf: from `low` on and below `high`, and perhaps missing ones.
struct CellRange {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  bool has_missing = true;
};

// All rows that reach a leaf, by the inputs that the tree splits.
struct LeafRegion {
  std::size_t node;
  std::vector<CellRange> cells;
};

class LeafOrder {
 public:
  LeafOrder(const std::vector<TreeNode>& tree, const InputDirections& directions) : tree_(tree) {
    for (const TreeNode& node : tree)
      if (node.left >= 0 && std::find(inputs_.begin(), inputs_.end(), node.feature) == inputs_.end())
        inputs_.push_back(node.feature);
    for (const std::int32_t input : inputs_) directions_.push_back(directions[static_cast<std::size_t>(input)]);
    if (has_monotone(directions_)) add(0, std::vector<CellRange>(inputs_.size()));
  }

  // Nodes of leaves, the first of which must not be above the second.
  std::vector<std::pair<std::size_t, std::size_t>> pairs() const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const LeafRegion& lower : leaves_)
      for (const LeafRegion& higher : leaves_)
        if (&lower != &higher && can_rise(lower, higher)) result.emplace_back(lower.node, higher.node);
    return result;
  }

 private:
  void add(std::size_t at, const std::vector<CellRange>& cells) {
    const TreeNode& node = tree_[at];
    if (node.left < 0) {
      leaves_.push_back({at, cells});
      return;
    }
    const auto which = static_cast<std::size_t>(std::find(inputs_.begin(), inputs_.end(), node.feature) - inputs_.begin());
    std::vector<CellRange> side = cells;
    side[which].high = std::min(side[which].high, node.value);
    side[which].has_missing = cells[which].has_missing && node.missing_left;
    add(static_cast<std::size_t>(node.left), side);
    side[which] = cells[which];
    side[which].low = std::max(side[which].low, node.value);
    side[which].has_missing = cells[which].has_missing && !node.missing_left;
    add(static_cast<std::size_t>(node.right), side);
  }

  bool can_rise(const LeafRegion& lower, const LeafRegion& higher) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const CellRange &from = lower.cells[i], &to = higher.cells[i];
      const bool has_both = from.low < from.high && to.low < to.high;
      bool can = false;
      if (directions_[i] == Direction::increasing)
        can = has_both && from.low < to.high;
      else if (directions_[i] == Direction::decreasing)
        can = has_both && to.low < from.high;
      else
        can = std::max(from.low, to.low) < std::min(from.high, to.high) || (from.has_missing && to.has_missing);
      if (!can) return false;
    }
    return true;
  }

  const std::vector<TreeNode>& tree_;
  std::vector<std::int32_t> inputs_;
  InputDirections directions_;  // of inputs_
  std::vector<LeafRegion> leaves_;
};

}  // namespace

void order_leaves(std::vector<TreeNode>& tree, const std::vector<double>& weights, const InputDirections& directions) {
  constexpr int max_sweeps = 50;
  constexpr double tiny = 1e-9;  // the weight of a leaf without rows, so that a mean exists
  const auto pairs = LeafOrder(tree, directions).pairs();
  if (std::none_of(pairs.begin(), pairs.end(),
                   [&](const auto& pair) { return tree[pair.first].value > tree[pair.second].value; }))
    return;
  std::vector<double> means;
  for (const TreeNode& node : tree) means.push_back(static_cast<double>(node.value));
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    bool is_ordered = true;
    for (const auto& [lower, higher] : pairs) {
      if (!(means[lower] > means[higher])) continue;
      const double a = std::max(weights[lower], tiny), b = std::max(weights[higher], tiny);
      means[lower] = means[higher] = (a * means[lower] + b * means[higher]) / (a + b);
      is_ordered = false;
    }
    if (is_ordered) break;
  }
  for (const auto& [lower, higher] : pairs)
    for (const std::size_t node : {lower, higher}) tree[node].value = static_cast<float>(means[node]);
  // Sweeps converge but need not end. Raising leaves to those that must not be above them ends, and is exact.
  for (bool is_ordered = false; !is_ordered;) {
    is_ordered = true;
    for (const auto& [lower, higher] : pairs)
      if (tree[lower].value > tree[higher].value) {
        tree[higher].value = tree[lower].value;
        is_ordered = false;
      }
  }
}

}  // namespace taut
