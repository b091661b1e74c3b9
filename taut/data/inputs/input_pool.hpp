// The inputs that several trainings share, each of which looks at some of the rows.
#pragma once

#include <taut/core/memory.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/binned_inputs.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace taut {

// Folds and candidates are trained on overlapping rows of one table. Their inputs are kept once, and cut into bins once, instead
// of copied for each: a fit of a million rows takes half the memory, one of 46,000 rows a tenth less time. Calibration rows must
// not be in it, because the thresholds come from all of its rows.
class InputPool {
 public:
  InputPool(MatrixF x);  // NOLINT(google-explicit-constructor): where there is one training, a matrix does
  InputPool(const Inputs& first, const Inputs& second);  // the rows of one, then those of the other

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  // Many of them rest in a file: trees are grown from bins.
  Eigen::Map<const MatrixF> floats() const { return {data_, rows_, columns_}; }
  // To be called when a part of the floats has been read.
  void let_rest() const;
  MatrixF gather(RowsView rows) const;

  // At most `most` bins in a column. Made on the first call; may be called from several threads.
  std::shared_ptr<const BinnedInputs> binned(Index most, int threads) const;

 private:
  MatrixF x_;  // empty when they are in `spill_`
  std::shared_ptr<const Spill> spill_;
  const float* data_ = nullptr;
  Index rows_ = 0, columns_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<Index, std::shared_ptr<const BinnedInputs>>> made_;
};

}  // namespace taut
