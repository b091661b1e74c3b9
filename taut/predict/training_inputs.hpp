// The inputs of training rows, with out-of-fold target means of categories.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/data/split.hpp>
#include <taut/data/table_view.hpp>

#include <map>
#include <memory>
#include <optional>

namespace taut {

// The inputs of training rows. Where a category is encoded by its mean target, that mean must not include the row itself.
// Otherwise the target would leak into the inputs.
class TrainingInputs {
 public:
  // True if the encoding of a category depends on `values`: on their mean, or in the order of a few categories.
  static bool depend_on_values(Encoding encoding, const TableView& x);
  // `values` has a number for each of `rows`; it may be empty if depend_on_values() is false. The parts are positions in `rows`.
  // `known`: the encoder of the same rows in another order, or null.
  TrainingInputs(Encoding encoding, const TableView& x, RowsView rows, std::span<const double> values,
                 const std::vector<TrainingPart>& parts, bool with_counts, RowWeights weights = {},
                 const Encoder* known = nullptr);

  // Encodes rows outside of the training set.
  const Encoder& encoder() const { return encoder_; }
  // True if all parts may share their inputs: no input is a mean of `values`. At most the order of a few categories depends on
  // them.
  bool are_shared() const { return !encoder_.uses_means(); }
  // Every row is encoded with means over the other blocks. A block has the validation rows of a part.
  MatrixF shared(int threads) const;
  // The inputs for one part: no input depends on the values of its validation rows.
  MatrixF of_part(std::size_t part, int threads) const;

 private:
  MatrixF without(std::size_t block, int threads) const;

  TableView x_;
  RowsView rows_;
  RowBlocks blocks_;
  std::size_t parts_;
  std::optional<CategorySums> sums_;
  Encoder encoder_;
};

// Residuals of y after out-of-fold predictions by quick boosted trees on the columns that are not categories. The mean of y by
// category would be confounded with those columns: better diamonds are smaller, so their mean price is lower. `y` is in the order
// of `rows`, and the parts are positions in `rows`. Returns y if there are no other columns or too few rows.
std::vector<double> unexplained_by_other_columns(const TableView& x, RowsView rows, std::span<const double> y,
                                                 const std::vector<TrainingPart>& parts, std::uint64_t seed,
                                                 const ExecutionContext& context, RowWeights weights = {});

// The inputs of the training rows of f, shared by all predictors of a stack. Each encoding is prepared once.
class FoldInputs {
 public:
  // `y`: the targets of `rows`. The folds are positions in `rows`, which must outlive this. `weights`: of `rows`.
  FoldInputs(const TableView& x, RowsView rows, std::span<const double> y, std::vector<TrainingPart> folds, std::uint64_t seed,
             std::vector<double> weights = {});
  // The same rows in another order with other folds, for members that are added to those of `first`: the encoders are the same.
  // `order` has the positions of `rows` in first.rows(). Only encodings that `first` has can be prepared.
  FoldInputs(const FoldInputs& first, const Rows& order, RowsView rows, std::vector<TrainingPart> folds);

  // Must be called before encoder() and pool() with this encoding.
  void prepare(Encoding encoding, const ExecutionContext& context);

  RowsView rows() const { return rows_; }
  const std::vector<TrainingPart>& folds() const { return folds_; }
  const Encoder& encoder(Encoding encoding) const { return encoded_.at(encoding).training.encoder(); }
  // The inputs of all rows for the member that holds out `fold`. May be called from several threads.
  std::shared_ptr<const InputPool> pool(Encoding encoding, std::size_t fold, int threads) const;
  // Frees the inputs that are shared by all folds, and keeps the encoders.
  void free_pools();

 private:
  struct Encoded {
    TrainingInputs training;
    std::shared_ptr<const InputPool> shared;  // for all folds; null if the inputs differ by fold and are encoded on demand
  };

  TableView x_;
  RowsView rows_;
  std::vector<double> standard_;  // the targets in standard units
  std::vector<double> weights_;
  std::vector<TrainingPart> folds_;
  std::uint64_t seed_;
  std::vector<double> unexplained_;
  const FoldInputs* first_ = nullptr;  // its encoders are taken
  std::map<Encoding, Encoded> encoded_;
};

}  // namespace taut
