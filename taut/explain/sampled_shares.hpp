// Shapley values of any function, by walks from background rows; and shares that add up to a value.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>
#include <taut/guard/drift/drift_check.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace taut {

// Rows to compare with where nothing exact is known: drawn from what the model file remembers of the calibration rows.

// `count` rows of cells. Each column is spread evenly over the values that calibration rows had, independently of the others.
Matrix background_rows(const InputSummary& summary, const std::vector<Column>& schema, Index count, std::uint64_t seed);

// Makes shares add up to a value to the last bits.

// Trees are added in floats, shares in doubles: what is lacking goes to the shares in proportion to their size. Returns what was
// lacking, relative to the terms of the sum.
inline double settle(double value, double base, Eigen::Ref<Eigen::RowVectorXd> shares) {
  const double size = shares.cwiseAbs().sum(), lacking = value - base - shares.sum();
  if (lacking == 0 || !(size > 0)) return 0;
  shares.array() += lacking / size * shares.array().abs();
  return std::abs(lacking) / std::max(size, std::abs(value));
}

// Shapley values of any function, by walks: from a row of the background to the row in question, one player after the other. Each
// walk's steps add up to the difference of its ends, so shares add up exactly; that they are the Shapley values is true on
// average. Every walk has a companion in the opposite order, which takes most of the chance out.

class SampledShares {
 public:
  // rows x cells -> rows x outputs.
  using Function = std::function<Matrix(const Matrix& rows, int threads)>;

  // player_of[cell]; one row of the background for each pair of walks.
  SampledShares(Function function, Matrix background, std::vector<Index> player_of, Index players, std::uint64_t seed,
                int threads);

  const std::vector<double>& bases() const { return bases_; }  // of each output: the mean over the background
  // Adds the shares to shares[output], rows x players, of which the first columns are those of this function.
  void add(const Matrix& rows, std::vector<Matrix>& shares, int threads) const;

 private:
  void walk(const Matrix& rows, Index row, const Matrix& ends, std::vector<Matrix>& shares) const;

  Function function_;
  Matrix background_;
  std::vector<std::vector<Index>> cells_of_;  // each player's
  std::vector<Rows> orders_;                  // of the players, a pair of walks each
  Matrix starts_;                             // the function at the background
  std::vector<double> bases_;
};

}  // namespace taut
