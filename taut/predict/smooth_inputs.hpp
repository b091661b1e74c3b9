// What smooth predictors see of a row: bounded inputs, and their pieces for networks.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/data/inputs/input_pool.hpp>

#include <vector>

namespace taut {

// Inputs that are bounded and alike in size whatever the table holds, for predictors that extrapolate or measure distances.
//
//   s = (x - median)/(third quartile - first quartile),  z = s/√(1 + (s/3)²)
// so that z is s where most rows are and never leaves (-3, 3): a row far outside the training rows is treated like one at their
// edge. Where the quartiles are equal, half the range takes their place; a constant column becomes 0.

class RobustInputs {
 public:
  RobustInputs() = default;
  RobustInputs(const InputPool& x, RowsView rows);

  Index columns() const { return std::ssize(centre_); }
  const std::vector<double>& centre() const { return centre_; }
  const std::vector<double>& factor() const { return factor_; }
  void apply(const float* row, float* out) const;
  MatrixF apply(const InputPool& x, RowsView rows) const;

  void save(Archive archive) const;
  static RobustInputs load(const Archive& archive, Index inputs);

 private:
  std::vector<double> centre_;
  std::vector<double> factor_;  // 1/unit, 0 for a constant column
};

// What a network sees of a row: each robust input z, and after them, for every column with more than a few values, how far z has
// come through each of its bins (Gorishniy, Rubachev and Babenko, 2022):
//
//   e_b = (z - t_b)/(t_(b+1) - t_b) held in [0, 1], the knots t at quantiles of the training rows
// A linear layer on e is any function of z that is piecewise linear between the knots, so steps and bends need no deep layers.

class PiecewiseInputs {
 public:
  PiecewiseInputs() = default;
  // `z`: robust inputs of the training rows. At most `most_bins` for a column and `most_width` outputs beside the columns.
  PiecewiseInputs(const MatrixF& z, Index most_bins, Index most_width);

  Index columns() const { return columns_; }
  Index width() const { return columns_ + std::ssize(from_); }
  void apply(const float* z, float* out) const;

  // Each z, and for every column with bins the mean of its e, from -1 to 1: its rank among the training rows, for those who
  // measure distances.
  Index width_with_ranks() const { return columns_ + ranked_; }
  void apply_ranks(const float* z, float* out) const;

  DescribedBins describe(const RobustInputs& z) const;
  void save(Archive archive) const;
  static PiecewiseInputs load(const Archive& archive, Index columns);

 private:
  void count_bins();
  float share(float z, std::size_t bin) const {
    const float share = (z - from_[bin]) * factor_[bin];
    const float above = share > 0 ? share : 0;
    return above < 1 ? above : 1;
  }

  Index columns_ = 0, ranked_ = 0;
  // Of each bin, column after column.
  std::vector<std::int32_t> column_;
  std::vector<float> from_, factor_;  // t_b and 1/(t_(b+1) - t_b)
  // Made from these: behind the last bin of each column that has some; where the rank of a bin's column stands, and 2/(bins of
  // the column).
  std::vector<std::size_t> ends_;
  std::vector<std::int32_t> rank_;
  std::vector<float> part_;
};

}  // namespace taut
