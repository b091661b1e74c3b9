// Inputs that several trainings share; each uses some of the rows.
#pragma once

#include <taut/core/memory.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/binned_inputs.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace taut {

// Folds and candidates are trained on overlapping rows of one table. Their inputs are stored and binned once instead of once per
// training: a fit of a million rows takes half the memory, one of 46,000 rows a tenth less time. Calibration rows must not be
// included, because the bin thresholds come from all rows of the pool.
class InputPool {
 public:
  // `weights`: of the rows, for every training with them; none by default.
  InputPool(MatrixF x,
            std::vector<double> weights = {});  // NOLINT(google-explicit-constructor): a single training may pass a matrix
  InputPool(const Inputs& first, const Inputs& second);  // the rows of `first`, then those of `second`

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  RowWeights weights() const { return weights_; }
  std::vector<double> weights_of(RowsView rows) const { return pick_weights(weights_, rows); }
  // The inputs as floats. A large pool keeps them in a temporary file, because trees are grown from bins.
  Eigen::Map<const MatrixF> floats() const { return {data_, rows_, columns_}; }
  // Unmaps the temporary file from memory. To be called after a part of the floats has been read.
  void evict() const;
  MatrixF gather(RowsView rows) const;

  // The inputs in at most `maximum` bins per column. They are made on the first call. Safe to call from several threads.
  std::shared_ptr<const BinnedInputs> binned(Index maximum, int threads) const;

 private:
  MatrixF x_;  // empty if the inputs are in `spill_`
  std::vector<double> weights_;
  std::shared_ptr<const Spill> spill_;
  const float* data_ = nullptr;
  Index rows_ = 0, columns_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<Index, std::shared_ptr<const BinnedInputs>>> made_;
};

}  // namespace taut
