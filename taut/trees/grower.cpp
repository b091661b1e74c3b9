#include <taut/trees/grower.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace taut {

namespace {

// A subtree with fewer rows is not worth a thread. This is less than rows_per_thread, because threads synchronise only once.
constexpr std::size_t rows_of_subtree = 1 << 11;
constexpr std::size_t subtrees_per_thread = 8;  // enough to balance the load; each needs memory for its histograms
constexpr Index walks = 8;                      // concurrent traversals: each waits for memory, so eight cost little more

}  // namespace

Grower::Grower(const BinnedInputs& bins, const BoosterSettings& settings)
    : bins_(bins),
      columns_(bins.by_column(settings.threads)),
      settings_(settings),
      rules_{settings.lambda, settings.min_weight, settings.min_gain} {}

void Grower::grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random&) {
  gradient_rows_ = gradient_rows;
  spare_rows_.resize(std::max(spare_rows_.size(), gradient_rows.size()));
  ranges_ = bin_ranges(bins_, columns);
  histogram_size_ = static_cast<std::size_t>(ranges_.back().begin + ranges_.back().values + 1);
  tree_.clear();
  NodeRows root{0, gradient_rows.size(), Sums::Zero(), 0};
  const Sums* sums = histogram(tree_, root.histogram);
  fill_histogram(root.begin, root.end, histogram(tree_, root.histogram));
  for (Index bin = 0; bin <= ranges_.front().values; ++bin) root.total += sums[bin];
  grow_node(tree_, root, 0);
  order_leaves_of_tree();
}

void Grower::order_leaves_of_tree() {
  if (!has_monotone(settings_.directions)) return;
  std::vector<double> weights(tree_.nodes.size());
  for (const Leaf& leaf : tree_.leaves) weights[static_cast<std::size_t>(leaf.node)] = leaf.curvature;
  order_leaves(tree_.nodes, weights, settings_.directions);
  for (Leaf& leaf : tree_.leaves) leaf.value = tree_.nodes[static_cast<std::size_t>(leaf.node)].value;
}

// Only the histogram of the smaller child is filled. The histogram of the larger child is the difference, and replaces that of
// the parent. One thread grows the smaller child first, so one histogram for each depth is enough: the smaller child is finished
// before the histogram of the larger one is used. If both children are worth a thread, the smaller one becomes a separate
// subtree.
std::int32_t Grower::grow_node(Subtree& tree, const NodeRows& node, Index depth) {
  tree.depth = std::max(tree.depth, depth);
  if (depth == settings_.depth) return add_leaf(tree, node);
  const Split split = split_of(tree, node);
  if (split.column < 0) return add_leaf(tree, node);
  const RightBins right_bins = right_bins_of(bins_, split);
  const std::size_t middle =
      node.begin + partition_rows(columns_, gradient_rows_.subspan(node.begin, node.size()), spare_rows_.data() + node.begin,
                                  split.column, right_bins, settings_.threads);
  const auto place = static_cast<std::int32_t>(tree.nodes.size());
  tree.nodes.push_back({-1, -1, static_cast<std::int32_t>(split.column), split.missing_left,
                        bins_.cuts(split.column)[static_cast<std::size_t>(split.threshold)]});
  tree.steps.push_back({static_cast<std::uint32_t>(split.column), right_bins, {0, 0}});

  NodeRows left{node.begin, middle, split.left, node.histogram}, right{middle, node.end, node.total - split.left, node.histogram};
  const bool left_is_smaller = left.size() < right.size();
  NodeRows &smaller = left_is_smaller ? left : right, &larger = left_is_smaller ? right : left;
  const bool is_shared = settings_.threads > 1 && depth + 1 < settings_.depth && smaller.size() >= rows_of_shared_subtree();
  auto subtree = is_shared ? take_spare_subtree() : nullptr;
  Subtree& of_smaller = is_shared ? *subtree : tree;
  smaller.histogram = is_shared ? 0 : node.histogram + 1;
  if (depth + 1 < settings_.depth) {
    Sums* const filled = histogram(of_smaller, smaller.histogram);
    fill_histogram(smaller.begin, smaller.end, filled);
    Sums* const rest = histogram(tree, node.histogram);
    for (std::size_t bin = 0; bin < histogram_size_; ++bin) rest[bin] -= filled[bin];
  }
  std::int32_t smaller_place = 0, larger_place = 0;
  const auto grow_smaller = [&] { smaller_place = grow_node(of_smaller, smaller, depth + 1); };
  const auto grow_larger = [&] { larger_place = grow_node(tree, larger, depth + 1); };
  if (is_shared) {
    parallel_blocks(2, 1, settings_.threads, [&](Index which, Index) { which == 0 ? grow_larger() : grow_smaller(); });
    smaller_place = tree.append(*subtree);
    keep_spare_subtree(std::move(subtree));
  } else {
    grow_smaller();
    grow_larger();
  }
  tree.set_children(place, left_is_smaller ? smaller_place : larger_place, left_is_smaller ? larger_place : smaller_place);
  return place;
}

Split Grower::split_of(Subtree& tree, const NodeRows& node) const {
  const Sums* const sums = histogram(tree, node.histogram);
  if (settings_.directions.empty()) return best_split(sums, ranges_, node.total, rules_);
  return best_ordered_split(sums, ranges_, node.total, rules_, settings_.directions);
}

std::int32_t Grower::add_leaf(Subtree& tree, const NodeRows& node) const {
  const auto value = static_cast<float>(-settings_.rate * node.total[0] / (node.total[1] + settings_.lambda));
  const auto place = static_cast<std::uint32_t>(tree.nodes.size());
  tree.leaves.push_back({node.begin, node.end, value, static_cast<std::int32_t>(place), node.total[1]});
  const double rows = weight_of_rows(gradient_rows_.subspan(node.begin, node.size()), settings_.weights);
  tree.nodes.push_back({-1, -1, -1, false, value, static_cast<float>(rows)});
  tree.steps.push_back({0, {0, 0}, {place, place}});
  return static_cast<std::int32_t>(place);
}

void Grower::replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) {
  parallel_blocks(
      std::ssize(tree_.leaves), 1, threads_for_rows(gradient_rows.size(), settings_.threads), [&](Index which, Index) {
        Leaf& leaf = tree_.leaves[static_cast<std::size_t>(which)];
        if (leaf.begin == leaf.end) return;  // a sample of few rows may have none in this leaf
        leaf.value = static_cast<float>(settings_.rate * value_of(gradient_rows.subspan(leaf.begin, leaf.end - leaf.begin)));
        tree_.nodes[static_cast<std::size_t>(leaf.node)].value = leaf.value;
      });
  order_leaves_of_tree();
}

void Grower::number_leaves() {
  for (std::size_t number = 0; number < tree_.leaves.size(); ++number) {
    Leaf& leaf = tree_.leaves[number];
    leaf.value = static_cast<float>(number);
    tree_.nodes[static_cast<std::size_t>(leaf.node)].value = leaf.value;
  }
}

void Grower::Subtree::clear() {
  nodes.clear();
  steps.clear();
  leaves.clear();
  depth = 0;
}

void Grower::Subtree::set_children(std::int32_t parent, std::int32_t left, std::int32_t right) {
  const auto place = static_cast<std::size_t>(parent);
  nodes[place].left = left;
  nodes[place].right = right;
  steps[place].children[0] = static_cast<std::uint32_t>(left);
  steps[place].children[1] = static_cast<std::uint32_t>(right);
}

std::int32_t Grower::Subtree::append(const Subtree& other) {
  const auto offset = static_cast<std::int32_t>(nodes.size());
  for (TreeNode node : other.nodes) {
    if (node.left >= 0) node.left += offset;
    if (node.right >= 0) node.right += offset;
    nodes.push_back(node);
  }
  for (Step step : other.steps) {
    for (std::uint32_t& child : step.children) child += static_cast<std::uint32_t>(offset);
    steps.push_back(step);
  }
  for (Leaf leaf : other.leaves) {
    leaf.node += offset;
    leaves.push_back(leaf);
  }
  depth = std::max(depth, other.depth);
  return offset;
}

// Subtrees are kept for the next tree, to reuse their memory.
std::unique_ptr<Grower::Subtree> Grower::take_spare_subtree() {
  const std::lock_guard lock(mutex_);
  if (spare_subtrees_.empty()) return std::make_unique<Subtree>();
  auto subtree = std::move(spare_subtrees_.back());
  spare_subtrees_.pop_back();
  subtree->clear();
  return subtree;
}

void Grower::keep_spare_subtree(std::unique_ptr<Subtree> subtree) {
  const std::lock_guard lock(mutex_);
  spare_subtrees_.push_back(std::move(subtree));
}

// The pointer is valid until the next call for the same subtree.
Sums* Grower::histogram(Subtree& tree, std::size_t which) const {
  tree.histograms.resize(std::max(tree.histograms.size(), (which + 1) * histogram_size_));
  return tree.histograms.data() + which * histogram_size_;
}

std::size_t Grower::rows_of_shared_subtree() const {
  return std::max(rows_of_subtree, gradient_rows_.size() / (subtrees_per_thread * static_cast<std::size_t>(settings_.threads)));
}

void Grower::fill_histogram(std::size_t begin, std::size_t end, Sums* histogram) {
  const int threads = threads_for_rows(end - begin, settings_.threads);
  auto spare = threads > 1 ? take_spare_subtree() : nullptr;  // its histograms are for all threads but the first
  Sums* const others = threads > 1 ? this->histogram(*spare, static_cast<std::size_t>(threads - 2)) -
                                         static_cast<std::size_t>(threads - 2) * histogram_size_
                                   : nullptr;
  taut::fill_histogram(bins_, ranges_, gradient_rows_.subspan(begin, end - begin), threads, histogram, others);
  if (spare) keep_spare_subtree(std::move(spare));
}

void Grower::add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const {
  parallel_blocks(std::ssize(tree_.leaves), 1, threads_for_rows(gradient_rows.size(), settings_.threads),
                  [&](Index which, Index) {
                    const Leaf& leaf = tree_.leaves[static_cast<std::size_t>(which)];
                    for (std::size_t i = leaf.begin; i < leaf.end; ++i) margins[gradient_rows[i].row * stride] += leaf.value;
                  });
}

void Grower::add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const {
  bins_.visit([&](const auto* cells) {
    const auto walk = [&]<std::size_t count>(const std::uint32_t* from, std::integral_constant<std::size_t, count>) {
      std::array<std::uint32_t, count> nodes{};
      for (Index depth = 0; depth < tree_.depth; ++depth)
        for (std::size_t lane = 0; lane < count; ++lane) {
          const Step& step = tree_.steps[nodes[lane]];
          nodes[lane] = step.children[step.right_bins.contain(cells[from[lane] * bins_.columns() + step.column]) ? 1 : 0];
        }
      for (std::size_t lane = 0; lane < count; ++lane) margins[from[lane] * stride] += tree_.nodes[nodes[lane]].value;
    };
    parallel_blocks(std::ssize(rows), rows_per_thread, threads_for_rows(rows.size(), settings_.threads),
                    [&](Index begin, Index end) {
                      Index i = begin;
                      for (; i + walks <= end; i += walks) walk(rows.data() + i, std::integral_constant<std::size_t, walks>{});
                      for (; i < end; ++i) walk(rows.data() + i, std::integral_constant<std::size_t, 1>{});
                    });
  });
}

}  // namespace taut
