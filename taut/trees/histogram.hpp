// The rows of a node with their gradients, their histogram, the best split, and how it parts the rows.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/binned_inputs.hpp>

#include <span>
#include <vector>

namespace taut {

// The rows that one tree is grown from, with their gradients.

// Gradients travel with their row: a node then reads them in order, wherever its rows stand.
struct GradientRow {
  std::uint32_t row;
  float gradient;
  float curvature;
};

class GradientRows {
 public:
  explicit GradientRows(Index rows);

  // Samples from `rows`, whose gradients stand in the same order: column `output` of them, times `scale`, rounded so that their
  // sums do not depend on the order of addition (see Grid in the source). A row is dropped with probability `drop`, and always
  // when both its numbers are 0.
  void sample(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index output, double scale,
              double drop, const Random& random, int threads);

  std::span<GradientRow> sampled() { return {sampled_.data(), count_}; }
  std::span<const std::uint32_t> dropped() const { return {dropped_.data(), dropped_.size() - count_}; }

 private:
  std::vector<GradientRow> sampled_;    // room for all rows, of which the first count_ are used
  std::vector<std::uint32_t> dropped_;  // room for all rows, of which the first size() - count_ are used
  std::size_t count_ = 0;
};

// The best split of a node, from its histogram.

// Sums over rows of the gradient and the curvature: all that a split needs.
using Sums = Eigen::Array2d;

// Where a column's bins are in a histogram: `values` bins for its values, then one for missing cells.
struct BinRange {
  Index column;
  Index begin;
  Index values;
};

struct SplitRules {
  double lambda;
  double min_weight;
  double min_gain;
};

// Rows below the `threshold`-th threshold go left, and missing ones where `missing_left` says.
struct Split {
  Index column = -1;  // -1: no split is worth it
  Index threshold = 0;
  bool missing_left = false;
  Sums left = Sums::Zero();
};

// The split with the largest G²/(H + λ), summed over both children, among those that gain enough on the parent and leave
// `min_weight` of curvature on both sides; of equals the first.
Split best_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules);

// Rows of a node: their histogram, and how a split parts them. For trees of every kind.

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
