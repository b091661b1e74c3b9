// Shapley values of any function, by walks: from a row of the background to the row in question, one player after the other. Each
// walk's steps add up to the difference of its ends, so shares add up exactly; that they are the Shapley values is true on
// average. Every walk has a companion in the opposite order, which takes most of the chance out.
#pragma once

#include <taut/core/types.hpp>

#include <functional>

namespace taut {

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
