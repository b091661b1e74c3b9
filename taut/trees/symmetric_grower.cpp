#include <taut/trees/symmetric_grower.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double rounding_of_gain = 1e-6;               // a smaller gain may be a rounding error and does not count
constexpr std::size_t max_sums = std::size_t{1} << 24;  // in all histograms of a level: 256 MB
constexpr std::size_t sums_per_thread = 1 << 15;        // of a search: with fewer, a second thread costs more than it saves

}  // namespace

SymmetricGrower::SymmetricGrower(const BinnedInputs& bins, const BoosterSettings& settings)
    : bins_(bins), columns_(bins.by_column(settings.threads)), settings_(settings) {
  settings_.min_weight = std::max(settings_.min_weight, 1e-9);  // so that a side without rows does not count, even if λ = 0
}

// Very wide tables get shallower trees, because the histograms of all nodes of a level are in memory at the same time.
Index SymmetricGrower::max_levels() const {
  Index levels = std::min<Index>(settings_.depth, 16);
  while (levels > 1 && (histogram_size_ << (levels - 1)) > max_sums) --levels;
  return levels;
}

double SymmetricGrower::gain_of(const Sums& sums) const {
  return sums[1] > 0 ? sums[0] * sums[0] / (sums[1] + settings_.lambda) : 0;
}

void SymmetricGrower::grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random& random) {
  gradient_rows_ = gradient_rows;
  spare_rows_.resize(std::max(spare_rows_.size(), gradient_rows.size()));
  ranges_ = bin_ranges(bins_, columns);
  histogram_size_ = static_cast<std::size_t>(ranges_.back().begin + ranges_.back().values + 1);
  levels_.clear();
  leaves_.assign(1, {0, gradient_rows.size(), Sums::Zero(), 0});
  histograms_.resize(std::max(histograms_.size(), histogram_size_));
  fill(leaves_[0]);
  for (Index bin = 0; bin <= ranges_.front().values; ++bin) leaves_[0].total += histograms_[static_cast<std::size_t>(bin)];
  const double squares = parallel_sum(std::ssize(gradient_rows), settings_.threads, [&](Index begin, Index end) {
    double part = 0;
    for (Index i = begin; i < end; ++i) {
      const GradientRow& one = gradient_rows[static_cast<std::size_t>(i)];  // its gradient is multiplied by its weight
      part += std::pow(static_cast<double>(one.gradient), 2) / weight_of(settings_.weights, one.row);
    }
    return part;
  });
  unit_ = leaves_[0].total[1] > 0 ? squares / leaves_[0].total[1] : 0;
  const Index maximum = max_levels();
  while (depth() < maximum) {
    const Split split = best_split_of_level(random.fork(static_cast<std::uint64_t>(depth())));
    if (split.column < 0) break;
    levels_.push_back({split, right_bins_of(bins_, split)});
    split_leaves(levels_.back(), depth() < maximum);
  }
  values_.clear();
  for (const Leaf& leaf : leaves_)
    values_.push_back(leaf.total[1] > 0 ? static_cast<float>(-settings_.rate * leaf.total[0] / (leaf.total[1] + settings_.lambda))
                                        : 0.0F);
  make_monotone();
  make_nodes();
}

Direction SymmetricGrower::direction_of(Index column) const {
  return settings_.directions.empty() ? Direction::any : settings_.directions[static_cast<std::size_t>(column)];
}

void SymmetricGrower::make_monotone() {
  if (!has_monotone(settings_.directions)) return;
  make_nodes();
  const std::size_t first = nodes_.size() - values_.size();
  std::vector<double> weights(nodes_.size());
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) weights[first + leaf] = leaves_[leaf].total[1];
  order_leaves(nodes_, weights, settings_.directions);
  for (std::size_t leaf = 0; leaf < values_.size(); ++leaf) values_[leaf] = nodes_[first + leaf].value;
}

// The best threshold of a column by the gains summed over the leaves. The cumulative sums of each leaf are stored first, so that
// the gains are independent and can be vectorised.
SymmetricGrower::Offer SymmetricGrower::best_of(const BinRange& range) const {
  const auto count = static_cast<std::size_t>(range.values - 1);
  const Direction direction = direction_of(range.column);
  if (count == 0 || direction == Direction::unused) return {};
  const double sign = direction == Direction::increasing ? 1 : direction == Direction::decreasing ? -1 : 0;
  std::vector<double> buffer(4 * count);
  double* const gradients = buffer.data();
  double* const curvatures = gradients + count;
  double* const totals[2] = {curvatures + count, curvatures + 2 * count};  // missing cells go right, go left
  bool has_missing = false;
  const double lambda = settings_.lambda, minimum = settings_.min_weight;
  for (const Leaf& leaf : leaves_) {
    if (!(leaf.total[1] > 0)) continue;
    const Sums* bins = histograms_.data() + leaf.histogram * histogram_size_ + range.begin;
    const Sums& absent = bins[range.values];
    const double whole = gain_of(leaf.total), g = leaf.total[0], h = leaf.total[1];
    const bool differs = absent[0] != 0 || absent[1] != 0;
    if (differs && !has_missing) std::copy_n(totals[0], count, totals[1]);
    has_missing |= differs;
    for (int side = 0; side < (has_missing ? 2 : 1); ++side) {
      double left_g = side == 1 ? absent[0] : 0, left_h = side == 1 ? absent[1] : 0;
      for (std::size_t bin = 0; bin < count; ++bin) {
        gradients[bin] = left_g += bins[bin][0];
        curvatures[bin] = left_h += bins[bin][1];
      }
      double* const total = totals[side];
      // A node whose sides are in the wrong order will have one value for both, so it counts as not split.
      for (std::size_t bin = 0; bin < count && sign != 0; ++bin) {
        const double below = curvatures[bin], above = h - below, a = gradients[bin], b = g - a;
        const bool counts = below >= minimum && above >= minimum && sign * (a * (above + lambda) - b * (below + lambda)) >= 0;
        total[bin] += counts ? a * a / (below + lambda) + b * b / (above + lambda) : whole;
      }
      for (std::size_t bin = 0; bin < count && sign == 0; ++bin) {
        const double below = curvatures[bin], above = h - below, a = gradients[bin], b = g - a;
        const double split = a * a / (below + lambda) + b * b / (above + lambda);
        total[bin] += ((below >= minimum) & (above >= minimum)) ? split : whole;
      }
    }
  }
  Offer best;
  for (std::size_t bin = 0; bin < count; ++bin)
    for (int side = 0; side < (has_missing ? 2 : 1); ++side)
      if (totals[side][bin] > best.gain) best = {totals[side][bin], static_cast<Index>(bin), side == 1};
  return best;
}

// Compares the square roots of the best gains of all columns, plus a little noise, independent for each level. So splits that are
// almost as good are sometimes chosen, and the trees differ more from one another.
Split SymmetricGrower::best_split_of_level(Random random) const {
  const TracedPart traced("split search");
  std::vector<Offer> offers(ranges_.size());
  const std::size_t sums = histogram_size_ * leaves_.size();
  const int threads =
      static_cast<int>(std::clamp<std::size_t>(sums / sums_per_thread, 1, static_cast<std::size_t>(settings_.threads)));
  parallel_blocks(std::ssize(ranges_), 1, threads, [&](Index which, Index) {
    offers[static_cast<std::size_t>(which)] = best_of(ranges_[static_cast<std::size_t>(which)]);
  });
  double now = std::max(settings_.min_gain, rounding_of_gain);
  for (const Leaf& leaf : leaves_) now += gain_of(leaf.total);
  Split split;
  double best = -infinity;
  for (std::size_t which = 0; which < offers.size(); ++which) {
    const double noise = settings_.noise > 0 ? settings_.noise * random.normal() : 0;
    const Offer& offer = offers[which];
    if (!(offer.gain > now)) continue;
    const double score = std::sqrt(offer.gain / unit_) + noise;
    if (score > best) {
      best = score;
      split.column = ranges_[which].column;
      split.threshold = offer.threshold;
      split.missing_left = offer.missing_left;
    }
  }
  return split;
}

// Leaf i becomes 2i and 2i + 1. Only the histogram of the smaller one is filled; that of the larger one is the difference to the
// parent.
void SymmetricGrower::split_leaves(const Level& level, bool with_histograms) {
  const std::size_t count = leaves_.size();
  std::vector<Leaf> next(2 * count);
  if (with_histograms) histograms_.resize(std::max(histograms_.size(), 2 * count * histogram_size_));
  const int threads = threads_for_rows(gradient_rows_.size(), settings_.threads);
  parallel_blocks(static_cast<Index>(count), 1, threads, [&](Index which, Index) {
    const auto at = static_cast<std::size_t>(which);
    const Leaf& leaf = leaves_[at];
    const std::size_t lefts =
        partition_rows(columns_, gradient_rows_.subspan(leaf.begin, leaf.size()), spare_rows_.data() + leaf.begin,
                       level.split.column, level.right_bins, settings_.threads);
    Leaf left{leaf.begin, leaf.begin + lefts, Sums::Zero(), leaf.histogram};
    Leaf right{left.end, leaf.end, Sums::Zero(), leaf.histogram};
    Leaf &smaller = left.size() < right.size() ? left : right, &larger = left.size() < right.size() ? right : left;
    for (std::size_t i = smaller.begin; i < smaller.end; ++i)
      smaller.total += Sums(gradient_rows_[i].gradient, gradient_rows_[i].curvature);
    larger.total = leaf.total - smaller.total;
    smaller.histogram = count + at;
    if (with_histograms && smaller.size() > 0) {
      fill(smaller);
      subtract(larger, smaller);
    }
    next[2 * at] = left;
    next[2 * at + 1] = right;
  });
  leaves_ = std::move(next);
}

void SymmetricGrower::fill(const Leaf& leaf) {
  const int threads = threads_for_rows(leaf.size(), settings_.threads);
  std::vector<Sums> others(static_cast<std::size_t>(threads - 1) * histogram_size_);
  fill_histogram(bins_, ranges_, gradient_rows_.subspan(leaf.begin, leaf.size()), threads,
                 histograms_.data() + leaf.histogram * histogram_size_, others.data());
}

void SymmetricGrower::subtract(const Leaf& from, const Leaf& part) {
  const TracedPart traced("histograms");
  Sums* const rest = histograms_.data() + from.histogram * histogram_size_;
  const Sums* const taken = histograms_.data() + part.histogram * histogram_size_;
  for (std::size_t bin = 0; bin < histogram_size_; ++bin) rest[bin] -= taken[bin];
}

// Breadth first, so that the children of node k are 2k + 1 and 2k + 2.
void SymmetricGrower::make_nodes() {
  nodes_.clear();
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const Split& split = levels_[level].split;
    const float cut = bins_.cuts(split.column)[static_cast<std::size_t>(split.threshold)];
    for (std::size_t node = 0; node < std::size_t{1} << level; ++node) {
      const auto child = static_cast<std::int32_t>(2 * nodes_.size() + 1);
      nodes_.push_back({child, child + 1, static_cast<std::int32_t>(split.column), split.missing_left, cut});
    }
  }
  for (std::size_t leaf = 0; leaf < values_.size(); ++leaf) {
    const auto rows = gradient_rows_.subspan(leaves_[leaf].begin, leaves_[leaf].size());
    nodes_.push_back({-1, -1, -1, false, values_[leaf], static_cast<float>(weight_of_rows(rows, settings_.weights))});
  }
}

void SymmetricGrower::replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) {
  parallel_blocks(std::ssize(leaves_), 1, threads_for_rows(gradient_rows.size(), settings_.threads), [&](Index which, Index) {
    const Leaf& leaf = leaves_[static_cast<std::size_t>(which)];
    if (leaf.size() == 0) return;
    values_[static_cast<std::size_t>(which)] =
        static_cast<float>(settings_.rate * value_of(gradient_rows.subspan(leaf.begin, leaf.size())));
  });
  make_monotone();
  make_nodes();
}

void SymmetricGrower::add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const {
  parallel_blocks(std::ssize(leaves_), 1, threads_for_rows(gradient_rows.size(), settings_.threads), [&](Index which, Index) {
    const Leaf& leaf = leaves_[static_cast<std::size_t>(which)];
    const float value = values_[static_cast<std::size_t>(which)];
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) margins[gradient_rows[i].row * stride] += value;
  });
}

void SymmetricGrower::add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const {
  bins_.visit([&](const auto* cells) {
    parallel_blocks(std::ssize(rows), rows_per_thread, threads_for_rows(rows.size(), settings_.threads),
                    [&](Index begin, Index end) {
                      for (Index i = begin; i < end; ++i) {
                        const std::uint32_t row = rows[static_cast<std::size_t>(i)];
                        const auto* const row_cells = cells + row * bins_.columns();
                        std::size_t leaf = 0;
                        for (const Level& level : levels_)
                          leaf = 2 * leaf + (level.right_bins.contain(row_cells[level.split.column]) ? 1 : 0);
                        margins[row * stride] += values_[leaf];
                      }
                    });
  });
}

}  // namespace taut
