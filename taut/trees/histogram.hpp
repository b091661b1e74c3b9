// Rows of a node: their histogram, and how a split parts them. For trees of every kind.
#pragma once

#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/column_bins.hpp>
#include <taut/trees/gradient_rows.hpp>
#include <taut/trees/split.hpp>

#include <span>
#include <vector>

namespace taut {

inline constexpr std::size_t rows_per_thread = 1 << 13;  // of one node: with fewer a second thread costs more than it saves
int threads_for_rows(std::size_t rows, int most);

// Where the bins of the columns stand in a histogram that has one after the other.
std::vector<BinRange> bin_ranges(const BinnedInputs& bins, std::span<const Index> columns);

RightBins right_bins_of(const BinnedInputs& bins, const Split& split);

// Sums of gradients for each bin of each column. `others` has room for a histogram for each thread but the first.
void fill_histogram(const BinnedInputs& bins, std::span<const BinRange> ranges, std::span<const GradientRow> rows, int threads,
                    Sums* histogram, Sums* others);

// Puts the rows that go left first and says how many they are. Keeps the order on both sides: rows in ascending order are read
// fast. `spare` has room for all rows.
std::size_t partition_rows(const ColumnBins& bins, std::span<GradientRow> rows, GradientRow* spare, Index column,
                           RightBins right_bins, int most_threads);

}  // namespace taut
