// Shapley values of any function, estimated by walks from background rows.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>
#include <taut/guard/drift/drift_check.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace taut {

// `count` background rows, sampled from the summary of the calibration rows in the model file. Each column is spread evenly over
// the quantiles of its calibration values, independently of the other columns. Throws an Error if the summary is empty.
Matrix background_rows(const InputSummary& summary, const std::vector<Column>& schema, Index count, std::uint64_t seed);

// Corrects shares so that base + Σ shares = value. The model adds trees in single precision, shares are in double precision: the
// difference is added to the shares in proportion to their size. Returns it relative to the terms of the sum.
inline double spread_rounding_error(double value, double base, Eigen::Ref<Eigen::RowVectorXd> shares) {
  const double size = shares.cwiseAbs().sum(), difference = value - base - shares.sum();
  if (difference == 0 || !(size > 0)) return 0;
  shares.array() += difference / size * shares.array().abs();
  return std::abs(difference) / std::max(size, std::abs(value));
}

// Shapley values of any function by permutation sampling. A walk starts at a background row and replaces the cells of one player
// after the other, in random order, by those of the explained row. The steps of a walk add up to the difference of its ends, so
// shares add up exactly; their expectations are the Shapley values. Walks come in antithetic pairs: the second one uses the
// reverse order, which reduces the variance.
class SampledShares {
 public:
  // rows x cells -> rows x outputs.
  using Function = std::function<Matrix(const Matrix& rows, int threads)>;

  // player_of[cell] is the player of a cell. Each row of the background is used for one pair of walks.
  SampledShares(Function function, Matrix background, std::vector<Index> player_of, Index players, std::uint64_t seed,
                int threads);

  const std::vector<double>& bases() const { return bases_; }  // for each output, the mean over the background
  // Adds the shares to shares[output], a matrix of rows x players that may have further columns at the end.
  void add(const Matrix& rows, std::vector<Matrix>& shares, int threads) const;

 private:
  void walk(const Matrix& rows, Index row, const Matrix& ends, std::vector<Matrix>& shares) const;

  Function function_;
  Matrix background_;
  std::vector<std::vector<Index>> cells_of_;  // the cells of each player
  std::vector<Rows> orders_;                  // an order of the players for each pair of walks
  Matrix starts_;                             // the function of each background row
  std::vector<double> bases_;
};

}  // namespace taut
