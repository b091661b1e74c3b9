// The inputs of smooth predictors: bounded values, and piecewise linear features of them.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/data/inputs/input_pool.hpp>

#include <vector>

namespace taut {

// Inputs that are bounded and on a common scale for every table, for predictors that extrapolate or measure distances.
//
//   s = (x - median)/(third quartile - first quartile),  z = s/√(1 + (s/3)²)
// z is about s for most rows and always within (-3, 3): a row far outside of the training rows is treated like one at their edge.
// If the quartiles are equal, half the range replaces their difference. A constant column becomes 0.
class RobustInputs {
 public:
  RobustInputs() = default;
  RobustInputs(const InputPool& x, RowsView rows);  // with the weights of the pool

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

// The inputs of a network: each robust input z, followed by the piecewise linear encoding of every column with more than a few
// values (Gorishniy, Rubachev and Babenko, 2022). For each bin b of a column it is
//
//   e_b = (z - t_b)/(t_(b+1) - t_b) clamped to [0, 1], the knots t at quantiles of the training rows
// A linear layer on e can be any function of z that is piecewise linear between the knots, so steps need no deep layers.
class PiecewiseInputs {
 public:
  PiecewiseInputs() = default;
  // `z`: robust inputs of the training rows. There are at most `max_bins` bins for a column and `max_width` bins in all.
  PiecewiseInputs(const MatrixF& z, Index max_bins, Index max_width, RowWeights weights = {});

  Index columns() const { return columns_; }
  Index width() const { return columns_ + std::ssize(from_); }
  void apply(const float* z, float* out) const;

  // Each z, and for every column with bins the mean of its e, scaled to [-1, 1]: the rank among the training rows, for predictors
  // that measure distances.
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
  // By bin, column after column.
  std::vector<std::int32_t> column_;
  std::vector<float> from_, factor_;  // t_b and 1/(t_(b+1) - t_b)
  // Derived by count_bins().
  std::vector<std::size_t> ends_;   // one past the last bin of each column that has bins
  std::vector<std::int32_t> rank_;  // by bin: the position of the rank of its column in the output
  std::vector<float> part_;         // by bin: 2/(bins of its column)
};

}  // namespace taut
