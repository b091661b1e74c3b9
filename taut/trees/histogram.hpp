// The rows of a node with their gradients, their histogram, the best split, and the partition of the rows by it.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/binned_inputs.hpp>

#include <span>
#include <vector>

namespace taut {

// A row that a tree is grown from, with its gradient. They are stored together, so that a node reads gradients sequentially.
struct GradientRow {
  std::uint32_t row;
  float gradient;
  float curvature;
};

class GradientRows {
 public:
  explicit GradientRows(Index rows);

  // Samples from `rows`. Row i of `gradient` and `curvature` belongs to rows[i]; column `output` is used, times `scale`, rounded
  // so that sums do not depend on the order of addition (see Grid in the source). A row is dropped with probability `drop`, and
  // always if its gradient and curvature are both 0. `weights`, of the rows of the inputs, multiply gradients and curvatures
  // after these were rounded: a whole weight is that many equal rows, to the last bit as long as the product fits a float.
  void sample(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index output, double scale,
              double drop, const Random& random, int threads, RowWeights weights = {});

  std::span<GradientRow> sampled() { return {sampled_.data(), count_}; }
  std::span<const std::uint32_t> dropped() const { return {dropped_.data(), dropped_.size() - count_}; }

 private:
  std::vector<GradientRow> sampled_;    // of the size of all rows; the first count_ are used
  std::vector<std::uint32_t> dropped_;  // of the size of all rows; the first size() - count_ are used
  std::size_t count_ = 0;
};

// Sums over rows of the gradient and the curvature.
using Sums = Eigen::Array2d;

// The sum of the weights of these rows; their number without weights.
double weight_of_rows(std::span<const GradientRow> rows, RowWeights weights);

// The position of a column's bins in a histogram: `values` bins for its values, then one for missing cells.
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

// Rows below threshold number `threshold` go left, and so do missing cells if `missing_left`.
struct Split {
  Index column = -1;  // -1: no split gains enough
  Index threshold = 0;
  bool missing_left = false;
  Sums left = Sums::Zero();
};

// The split with the largest sum of G²/(H + λ) over both children, among those that gain more than `min_gain` and have at least
// `min_weight` of curvature on both sides. Of equal splits it is the first.
Split best_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules);

inline constexpr std::size_t rows_per_thread = 1 << 13;  // of one node: with fewer, a second thread costs more than it saves
int threads_for_rows(std::size_t rows, int maximum);

// The positions of the bins of these columns in a histogram that has one column after the other.
std::vector<BinRange> bin_ranges(const BinnedInputs& bins, std::span<const Index> columns);

RightBins right_bins_of(const BinnedInputs& bins, const Split& split);

// Sums the gradients for each bin of each column. `others` has space for one histogram for each thread except the first.
void fill_histogram(const BinnedInputs& bins, std::span<const BinRange> ranges, std::span<const GradientRow> rows, int threads,
                    Sums* histogram, Sums* others);

// Moves the rows that go left to the front and returns their number. It keeps the order on both sides, because rows in ascending
// order are read faster. `spare` has space for all rows.
std::size_t partition_rows(const ColumnBins& bins, std::span<GradientRow> rows, GradientRow* spare, Index column,
                           RightBins right_bins, int max_threads);

}  // namespace taut
