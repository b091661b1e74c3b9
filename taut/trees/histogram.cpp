#include <taut/trees/histogram.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace taut {

namespace {

constexpr Index block = 1 << 14;

// Threads add gradients in any order. Rounding the gradients to multiples of a power of two makes all their sums exact in a
// double, so the order does not matter. The grid is so fine that the largest gradient still has 24 bits with 2^28 rows.
class Grid {
 public:
  // `count`: the number of rows, or the sum of their weights.
  Grid(double maximum, double count) {
    const int bits = std::min(24, 52 - static_cast<int>(std::ceil(std::log2(count + 1))));
    shift_ = maximum > 0 ? std::ldexp(1.5, 52 + std::ilogb(maximum) + 1 - bits) : 0;
  }
  // Adding a number whose last bit is the unit of the grid rounds to the grid; subtracting it is exact.
  float round(double value) const { return static_cast<float>((value + shift_) - shift_); }

 private:
  double shift_;
};

// Without the sign, the bits of doubles have the order of their magnitudes, with infinity and then NaN at the end.
double largest_magnitude(const Matrix& values, Index column, int threads) {
  constexpr std::uint64_t magnitude = ~std::uint64_t{0} >> 1;
  std::vector<std::uint64_t> maximum(static_cast<std::size_t>((values.rows() + block - 1) / block));
  parallel_blocks(values.rows(), block, threads, [&](Index begin, Index end) {
    std::uint64_t here = 0;
    for (Index row = begin; row < end; ++row)
      here = std::max(here, std::bit_cast<std::uint64_t>(values(row, column)) & magnitude);
    maximum[static_cast<std::size_t>(begin / block)] = here;
  });
  const double result = std::bit_cast<double>(*std::max_element(maximum.begin(), maximum.end()));
  if (!(result < 1e30)) throw Error("boosting got a gradient that is not finite: the loss overflows on these rows");
  return result;
}

}  // namespace

double weight_of_rows(std::span<const GradientRow> rows, RowWeights weights) {
  if (weights.empty()) return static_cast<double>(rows.size());
  double sum = 0;
  for (const GradientRow& one : rows) sum += weights[one.row];
  return sum;
}

GradientRows::GradientRows(Index rows) : sampled_(static_cast<std::size_t>(rows)), dropped_(sampled_.size()) {}

void GradientRows::sample(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index output,
                          double scale, double drop, const Random& random, int threads, RowWeights weights) {
  const TracedPart traced("sample rows");
  const Index count = gradient.rows();
  double all = static_cast<double>(count);
  if (!weights.empty()) {
    all = 0;
    for (const std::uint32_t row : rows) all += weights[row];
  }
  const Grid gradient_grid(scale * largest_magnitude(gradient, output, threads), all);
  const Grid curvature_grid(scale * largest_magnitude(curvature, output, threads), all);
  // Every block compacts its rows. Then the blocks are moved together, which copies nothing if no row is dropped.
  struct Counts {
    std::size_t sampled, dropped;
  };
  std::vector<Counts> counts(static_cast<std::size_t>((count + block - 1) / block));
  parallel_blocks(count, block, threads, [&](Index begin, Index end) {
    Random block_random = random.fork(static_cast<std::uint64_t>(begin));
    const Grid gradients = gradient_grid, curvatures = curvature_grid;  // local copies stay in registers, captured ones do not
    const double* next_gradient = gradient.data() + begin * gradient.cols() + output;
    const double* next_curvature = curvature.data() + begin * curvature.cols() + output;
    const Index stride = gradient.cols();
    GradientRow* next_sampled = sampled_.data() + begin;
    std::uint32_t* next_dropped = dropped_.data() + begin;
    for (Index i = begin; i < end; ++i) {
      const GradientRow row{rows[static_cast<std::size_t>(i)], gradients.round(scale * *next_gradient),
                            curvatures.round(scale * *next_curvature)};
      next_gradient += stride;
      next_curvature += stride;
      const bool is_dropped = drop > 0 && block_random.uniform() < drop;
      // The row is written to both lists and counted in one, because a branch would often be mispredicted.
      const bool has_gradient = (row.gradient != 0) | (row.curvature != 0);
      const Index is_sampled = has_gradient > is_dropped;
      *next_sampled = row;
      *next_dropped = row.row;
      next_sampled += is_sampled;
      next_dropped += 1 - is_sampled;
    }
    counts[static_cast<std::size_t>(begin / block)] = {static_cast<std::size_t>(next_sampled - sampled_.data() - begin),
                                                       static_cast<std::size_t>(next_dropped - dropped_.data() - begin)};
  });
  Counts total{0, 0};
  for (std::size_t b = 0; b < counts.size(); ++b) {
    const auto begin = static_cast<Index>(b) * block;
    if (static_cast<Index>(total.sampled) != begin)
      std::copy_n(sampled_.begin() + begin, counts[b].sampled, sampled_.begin() + static_cast<Index>(total.sampled));
    if (static_cast<Index>(total.dropped) != begin)
      std::copy_n(dropped_.begin() + begin, counts[b].dropped, dropped_.begin() + static_cast<Index>(total.dropped));
    total = {total.sampled + counts[b].sampled, total.dropped + counts[b].dropped};
  }
  count_ = total.sampled;
  if (weights.empty()) return;
  // A whole weight keeps a gradient on the grid, so rounding changes only others.
  parallel_blocks(static_cast<Index>(count_), block, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      GradientRow& one = sampled_[static_cast<std::size_t>(i)];
      const double weight = weights[one.row];
      one.gradient = gradient_grid.round(weight * static_cast<double>(one.gradient));
      one.curvature = curvature_grid.round(weight * static_cast<double>(one.curvature));
    }
  });
}

namespace {

constexpr std::size_t ahead = 12;           // prefetch distance in rows: deep in a tree the rows of a node are far apart
constexpr std::size_t few_columns = 12;     // the histograms of this many columns, 4 kB each, fit into the L1 cache
constexpr std::size_t grouped_columns = 8;  // this many fit together with the bins of the rows, and their addresses in registers
constexpr std::size_t grouped_rows = 128;

// The inner loop of training: one load, one addition of a pair and one store for each cell.
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

template <std::size_t count, class Bin>
void add_group(const Bin* cells, Index stride, std::span<const GradientRow> gradient_rows, const BinRange* ranges, Sums* sums) {
  std::array<Sums*, count> at;
  std::array<Index, count> columns;
  for (std::size_t k = 0; k < count; ++k) {
    at[k] = sums + ranges[k].begin;
    columns[k] = ranges[k].column;
  }
  for (const GradientRow& one : gradient_rows) {
    const Bin* row = cells + one.row * stride;
    const Sums pair(one.gradient, one.curvature);
    for (std::size_t k = 0; k < count; ++k) at[k][row[columns[k]]] += pair;
  }
}

// For many columns: processes some columns of some rows at a time. Every bin still gets its rows in the same order, so the bits
// are the same.
template <class Bin>
void add_wide_rows(const Bin* cells, Index stride, std::span<const GradientRow> gradient_rows, std::span<const BinRange> ranges,
                   Sums* sums) {
  constexpr auto line = static_cast<Index>(64 / sizeof(Bin));
  for (std::size_t begin = 0; begin < gradient_rows.size(); begin += grouped_rows) {
    const auto some_rows = gradient_rows.subspan(begin, std::min(grouped_rows, gradient_rows.size() - begin));
    for (const GradientRow& one : some_rows)
      for (Index column = 0; column < stride; column += line) __builtin_prefetch(cells + one.row * stride + column);
    std::size_t done = 0;
    for (; done + grouped_columns <= ranges.size(); done += grouped_columns)
      add_group<grouped_columns>(cells, stride, some_rows, &ranges[done], sums);
    for (; done < ranges.size(); ++done) add_group<1>(cells, stride, some_rows, &ranges[done], sums);
  }
}

}  // namespace

int threads_for_rows(std::size_t rows, int maximum) {
  return static_cast<int>(std::clamp<std::size_t>(rows / rows_per_thread, 1, static_cast<std::size_t>(maximum)));
}

std::vector<BinRange> bin_ranges(const BinnedInputs& bins, std::span<const Index> columns) {
  std::vector<BinRange> ranges;
  Index begin = 0;
  for (const Index column : columns) {
    const Index values = bins.missing_bin(column);
    ranges.push_back({column, begin, values});
    begin += values + 1;
  }
  return ranges;
}

RightBins right_bins_of(const BinnedInputs& bins, const Split& split) {
  const auto missing_bin = static_cast<std::uint32_t>(bins.missing_bin(split.column));
  const auto first = static_cast<std::uint32_t>(split.threshold) + 1;
  return {first, missing_bin - first + (split.missing_left ? 0 : 1)};
}

void fill_histogram(const BinnedInputs& bins, std::span<const BinRange> ranges, std::span<const GradientRow> rows, int threads,
                    Sums* histogram, Sums* others) {
  const TracedPart traced("histograms");
  const auto parts = static_cast<std::size_t>(threads);
  const auto size = static_cast<std::size_t>(ranges.back().begin + ranges.back().values + 1);
  const std::size_t share = std::max<std::size_t>(1, (rows.size() + parts - 1) / parts);
  const auto part = [&](std::size_t which) { return which == 0 ? histogram : others + (which - 1) * size; };
  parallel_blocks(threads, 1, threads, [&](Index which, Index) {
    Sums* const sums = part(static_cast<std::size_t>(which));
    const std::size_t from = std::min(rows.size(), static_cast<std::size_t>(which) * share);
    const std::size_t to = std::min(rows.size(), from + share);
    std::fill_n(sums, size, Sums(0, 0));
    if (from == to) return;
    const auto thread_rows = rows.subspan(from, to - from);
    bins.visit([&](const auto* cells) {
      if (ranges.size() <= few_columns)
        add_rows(cells, bins.columns(), thread_rows, ranges, sums);
      else
        add_wide_rows(cells, bins.columns(), thread_rows, ranges, sums);
    });
  });
  for (std::size_t which = 1; which < parts; ++which)
    for (std::size_t bin = 0; bin < size; ++bin) histogram[bin] += part(which)[bin];
}

std::size_t partition_rows(const ColumnBins& bins, std::span<GradientRow> rows, GradientRow* spare, Index column,
                           RightBins right_bins, int max_threads) {
  const TracedPart traced("partition");
  const int threads = threads_for_rows(rows.size(), max_threads);
  const std::size_t share = (rows.size() + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  // Each thread moves the rows that go left to the start of its share, and the others to `spare`. Then both are compacted.
  std::vector<std::size_t> lefts(static_cast<std::size_t>(threads));
  const auto begin_of = [&](std::size_t thread) { return std::min(rows.size(), thread * share); };
  parallel_blocks(threads, 1, threads, [&](Index which, Index) {
    const auto thread = static_cast<std::size_t>(which);
    const std::size_t from = begin_of(thread), to = begin_of(thread + 1);
    GradientRow* left = rows.data() + from;
    GradientRow* right = spare + from;
    bins.visit(column, [&](const auto* cells, Index stride) {
      for (std::size_t i = from; i < to; ++i) {
        const GradientRow one = rows[i];
        const std::ptrdiff_t goes_right = right_bins.contain(cells[one.row * stride]);
        *left = one;
        *right = one;
        left += 1 - goes_right;
        right += goes_right;
      }
    });
    lefts[thread] = static_cast<std::size_t>(left - rows.data()) - from;
  });
  std::size_t middle = 0;
  for (std::size_t thread = 0; thread < lefts.size(); ++thread) {
    const std::size_t from = begin_of(thread);
    if (middle != from) std::copy_n(rows.data() + from, lefts[thread], rows.data() + middle);
    middle += lefts[thread];
  }
  std::size_t right = middle;
  for (std::size_t thread = 0; thread < lefts.size(); ++thread) {
    const std::size_t count = begin_of(thread + 1) - begin_of(thread) - lefts[thread];
    std::copy_n(spare + begin_of(thread), count, rows.data() + right);
    right += count;
  }
  return middle;
}

namespace {

constexpr double rounding = 1e-6;  // a smaller gain may be a rounding error and does not count

// Keeps the best split. G_l²/(H_l + λ) + G_r²/(H_r + λ) is compared as a fraction, numerator > best · denominator, because a
// division would take longer than everything else here.
class Search {
 public:
  Search(const Sums& total, const SplitRules& rules)
      : total_(total),
        rules_(rules),
        best_(total[0] * total[0] / (total[1] + rules.lambda) + std::max(rules.min_gain, rounding)) {}

  void offer(const Sums& left, Index column, Index threshold, bool missing_left) {
    const Sums right = total_ - left;
    if (left[1] < rules_.min_weight || right[1] < rules_.min_weight) return;
    const double below = left[1] + rules_.lambda, above = right[1] + rules_.lambda;
    const double numerator = left[0] * left[0] * above + right[0] * right[0] * below;
    const double denominator = below * above;
    if (numerator <= best_ * denominator) return;
    best_ = numerator / denominator;
    split_ = {column, threshold, missing_left, left};
  }

  const Split& split() const { return split_; }

 private:
  Sums total_;
  SplitRules rules_;
  double best_;
  Split split_;
};

}  // namespace

Split best_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules) {
  const TracedPart traced("split search");
  Search search(total, rules);
  if (total[1] < 2 * rules.min_weight) return search.split();
  for (const BinRange& range : ranges) {
    const Sums* bins = histogram + range.begin;
    const Sums& absent = bins[range.values];
    const bool has_missing = absent[0] != 0 || absent[1] != 0;
    Sums left = Sums::Zero();
    for (Index bin = 0; bin + 1 < range.values; ++bin) {
      left += bins[bin];
      search.offer(left, range.column, bin, false);
      if (has_missing) search.offer(left + absent, range.column, bin, true);
    }
  }
  return search.split();
}

}  // namespace taut
