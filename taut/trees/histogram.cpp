#include <taut/trees/histogram.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

constexpr std::size_t ahead = 12;           // rows fetched before their turn: deep in a tree they stand far apart
constexpr std::size_t few_columns = 12;     // their histograms, 4 kB each, stay in the fastest cache together
constexpr std::size_t grouped_columns = 8;  // that many do beside the rows' bins, and registers hold where each begins
constexpr std::size_t grouped_rows = 128;

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

// Of many columns, some columns of some rows at a time. Every bin still meets its rows in their order: the same bits.
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

int threads_for_rows(std::size_t rows, int most) {
  return static_cast<int>(std::clamp<std::size_t>(rows / rows_per_thread, 1, static_cast<std::size_t>(most)));
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
    const auto mine = rows.subspan(from, to - from);
    bins.visit([&](const auto* cells) {
      if (ranges.size() <= few_columns)
        add_rows(cells, bins.columns(), mine, ranges, sums);
      else
        add_wide_rows(cells, bins.columns(), mine, ranges, sums);
    });
  });
  for (std::size_t which = 1; which < parts; ++which)
    for (std::size_t bin = 0; bin < size; ++bin) histogram[bin] += part(which)[bin];
}

std::size_t partition_rows(const ColumnBins& bins, std::span<GradientRow> rows, GradientRow* spare, Index column,
                           RightBins right_bins, int most_threads) {
  const TracedPart traced("partition");
  const int threads = threads_for_rows(rows.size(), most_threads);
  const std::size_t share = (rows.size() + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  // Each thread gathers the rows that go left at the start of its share, the others in `spare`; then both are compacted.
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

}  // namespace taut
