#include <taut/trees/grower.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace taut {

namespace {

constexpr std::size_t rows_per_thread = 1 << 14;  // waking a thread costs as much as some ten thousand cells of work
constexpr Index walks = 8;                        // walks in flight: each waits for memory, so eight cost little more than one
constexpr std::size_t ahead = 12;                 // rows fetched before their turn: deep in a tree they stand far apart

// The inner loop of all training: one load, one addition of a pair and one store for each cell.
template <class Bin>
void add_rows(const Bin* cells, Index stride, std::span<const GradientRow> gradient_rows, std::span<const BinRange> ranges,
              Sums* sums) {
  for (std::size_t i = 0; i < gradient_rows.size(); ++i) {
    __builtin_prefetch(cells + gradient_rows[std::min(i + ahead, gradient_rows.size() - 1)].row * stride);
    const Bin* row = cells + gradient_rows[i].row * stride;
    const Sums pair(gradient_rows[i].gradient, gradient_rows[i].curvature);
    for (const BinRange& range : ranges) sums[range.begin + row[range.column]] += pair;
  }
}

}  // namespace

Grower::Grower(const BinnedInputs& bins, const BoosterSettings& settings)
    : bins_(bins), settings_(settings), rules_{settings.lambda, settings.min_weight, settings.min_gain} {}

void Grower::grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns) {
  gradient_rows_ = gradient_rows;
  spare_.resize(std::max(spare_.size(), gradient_rows.size()));
  nodes_.clear();
  steps_.clear();
  leaves_.clear();
  ranges_.clear();
  Index bins = 0;
  for (const Index column : columns) {
    const Index values = bins_.missing_bin(column);
    ranges_.push_back({column, bins, values});
    bins += values + 1;
  }
  histogram_size_ = static_cast<std::size_t>(bins);
  histograms_.resize(histogram_size_ * static_cast<std::size_t>(settings_.depth + 1));
  depth_ = 0;
  fill_histogram(0, gradient_rows.size(), 0);
  Sums total = Sums::Zero();
  for (Index bin = 0; bin <= ranges_.front().values; ++bin) total += histograms_[static_cast<std::size_t>(bin)];
  grow_node(0, gradient_rows.size(), total, 0, 0);
}

// Only the smaller child is counted; what remains of the parent is the other. One histogram per level is enough, because the
// smaller child's branch is done before the parent's histogram, by then the larger child's, is looked at.
std::int32_t Grower::grow_node(std::size_t begin, std::size_t end, const Sums& total, Index depth, std::size_t here) {
  depth_ = std::max(depth_, depth);
  if (depth == settings_.depth) return add_leaf(begin, end, total);
  const Split split = best_split(histogram(here), ranges_, total, rules_);
  if (split.column < 0) return add_leaf(begin, end, total);
  const std::size_t middle = partition(begin, end, split);
  const auto node = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({-1, -1, static_cast<std::int32_t>(split.column), split.missing_left,
                    bins_.cuts(split.column)[static_cast<std::size_t>(split.threshold)]});
  steps_.push_back({static_cast<std::uint32_t>(split.column), right_bins(split), {0, 0}});

  const bool left_is_smaller = middle - begin < end - middle;
  const auto level = static_cast<std::size_t>(depth + 1);
  if (depth + 1 < settings_.depth) {
    left_is_smaller ? fill_histogram(begin, middle, level) : fill_histogram(middle, end, level);
    for (std::size_t bin = 0; bin < histogram_size_; ++bin) histogram(here)[bin] -= histogram(level)[bin];
  }
  const auto grow_left = [&](std::size_t its) { return grow_node(begin, middle, split.left, depth + 1, its); };
  const auto grow_right = [&](std::size_t its) { return grow_node(middle, end, total - split.left, depth + 1, its); };
  const std::int32_t first = left_is_smaller ? grow_left(level) : grow_right(level);
  const std::int32_t second = left_is_smaller ? grow_right(here) : grow_left(here);
  TreeNode& parent = nodes_[static_cast<std::size_t>(node)];
  parent.left = left_is_smaller ? first : second;
  parent.right = left_is_smaller ? second : first;
  auto& children = steps_[static_cast<std::size_t>(node)].children;
  children[0] = static_cast<std::uint32_t>(parent.left);
  children[1] = static_cast<std::uint32_t>(parent.right);
  return node;
}

std::int32_t Grower::add_leaf(std::size_t begin, std::size_t end, const Sums& total) {
  const auto value = static_cast<float>(-settings_.rate * total[0] / (total[1] + settings_.lambda));
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  leaves_.push_back({begin, end, value});
  nodes_.push_back({-1, -1, -1, false, value});
  steps_.push_back({0, {0, 0}, {node, node}});
  return static_cast<std::int32_t>(node);
}

RightBins Grower::right_bins(const Split& split) const {
  const auto missing_bin = static_cast<std::uint32_t>(bins_.missing_bin(split.column));
  const auto first = static_cast<std::uint32_t>(split.threshold) + 1;
  return {first, missing_bin - first + (split.missing_left ? 0 : 1)};
}

int Grower::threads_for(std::size_t rows) const {
  return static_cast<int>(std::clamp<std::size_t>(rows / rows_per_thread, 1, static_cast<std::size_t>(settings_.threads)));
}

void Grower::fill_histogram(std::size_t begin, std::size_t end, std::size_t which) {
  const auto threads = static_cast<std::size_t>(threads_for(end - begin));
  const std::size_t share = std::max<std::size_t>(1, (end - begin + threads - 1) / threads);
  parts_.resize(std::max(parts_.size(), histogram_size_ * (threads - 1)));
  const auto part = [&](std::size_t thread) {
    return thread == 0 ? histogram(which) : parts_.data() + (thread - 1) * histogram_size_;
  };
  parallel_blocks(static_cast<Index>(threads), 1, static_cast<int>(threads), [&](Index first, Index) {
    const auto thread = static_cast<std::size_t>(first);
    const std::size_t from = std::min(end, begin + thread * share), to = std::min(end, from + share);
    std::fill_n(part(thread), histogram_size_, Sums(0, 0));
    if (from == to) return;
    bins_.visit([&](const auto* cells) {
      add_rows(cells, bins_.columns(), gradient_rows_.subspan(from, to - from), ranges_, part(thread));
    });
  });
  for (std::size_t thread = 1; thread < threads; ++thread)
    for (std::size_t bin = 0; bin < histogram_size_; ++bin) histogram(which)[bin] += part(thread)[bin];
}

// Keeps the order on both sides: rows in ascending order are read fast.
std::size_t Grower::partition(std::size_t begin, std::size_t end, const Split& split) {
  const int threads = threads_for(end - begin);
  const std::size_t share = (end - begin + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  const Index stride = bins_.columns();
  const RightBins right_bins = this->right_bins(split);
  // Each thread gathers those that go left at the start of its share, the others in `spare_`; then both close up in order.
  std::vector<std::size_t> lefts(static_cast<std::size_t>(threads));
  parallel_blocks(threads, 1, threads, [&](Index thread, Index) {
    const std::size_t from = std::min(end, begin + static_cast<std::size_t>(thread) * share), to = std::min(end, from + share);
    GradientRow* left = gradient_rows_.data() + from;
    GradientRow* right = spare_.data() + from;
    bins_.visit([&](const auto* cells) {
      for (std::size_t i = from; i < to; ++i) {
        const GradientRow one = gradient_rows_[i];
        const std::ptrdiff_t goes_right = right_bins.contain(cells[one.row * stride + split.column]);
        *left = one;
        *right = one;
        left += 1 - goes_right;
        right += goes_right;
      }
    });
    lefts[static_cast<std::size_t>(thread)] = static_cast<std::size_t>(left - gradient_rows_.data()) - from;
  });
  std::size_t middle = begin;
  for (std::size_t thread = 0; thread < lefts.size(); ++thread) {
    const std::size_t from = std::min(end, begin + thread * share);
    if (middle != from) std::copy_n(gradient_rows_.data() + from, lefts[thread], gradient_rows_.data() + middle);
    middle += lefts[thread];
  }
  std::size_t right = middle;
  for (std::size_t thread = 0; thread < lefts.size(); ++thread) {
    const std::size_t from = std::min(end, begin + thread * share), to = std::min(end, from + share);
    std::copy_n(spare_.data() + from, to - from - lefts[thread], gradient_rows_.data() + right);
    right += to - from - lefts[thread];
  }
  return middle;
}

void Grower::add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const {
  parallel_blocks(std::ssize(leaves_), 1, threads_for(gradient_rows.size()), [&](Index which, Index) {
    const Leaf& leaf = leaves_[static_cast<std::size_t>(which)];
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) margins[gradient_rows[i].row * stride] += leaf.value;
  });
}

void Grower::add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const {
  bins_.visit([&](const auto* cells) {
    const auto walk = [&]<std::size_t count>(const std::uint32_t* from, std::integral_constant<std::size_t, count>) {
      std::array<std::uint32_t, count> nodes{};
      for (Index level = 0; level < depth_; ++level)
        for (std::size_t lane = 0; lane < count; ++lane) {
          const Step& step = steps_[nodes[lane]];
          nodes[lane] = step.children[step.right_bins.contain(cells[from[lane] * bins_.columns() + step.column]) ? 1 : 0];
        }
      for (std::size_t lane = 0; lane < count; ++lane) margins[from[lane] * stride] += nodes_[nodes[lane]].value;
    };
    parallel_blocks(std::ssize(rows), rows_per_thread, threads_for(rows.size()), [&](Index begin, Index end) {
      Index i = begin;
      for (; i + walks <= end; i += walks) walk(rows.data() + i, std::integral_constant<std::size_t, walks>{});
      for (; i < end; ++i) walk(rows.data() + i, std::integral_constant<std::size_t, 1>{});
    });
  });
}

}  // namespace taut
