// The inputs of the rows that train a part, and what categories say about the target there.
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

// The inputs of the rows that train a part. Where trees see what a category says about the target, a training row must not be
// described by itself, or trees would read off the target what no new row will tell them.

class TrainingInputs {
 public:
  // Do inputs depend on what categories say about the target?
  static bool depend_on_values(Encoding encoding, const TableView& x);
  // `values` has a number for each of `rows`, or none where nothing depends on them; the parts are positions in `rows`.
  TrainingInputs(Encoding encoding, const TableView& x, RowsView rows, std::span<const double> values,
                 const std::vector<TrainingPart>& parts, bool with_counts);

  // For rows of any other kind.
  const Encoder& encoder() const { return encoder_; }
  // All parts may share their inputs: of the values of rows they hold no more than the order of a few categories.
  bool are_shared() const { return !encoder_.uses_means(); }
  // Every row described by rows of other blocks, a block being the validation rows of a part.
  MatrixF shared(int threads) const;
  // As one part may see them: nothing in them depends on the values of its validation rows.
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

// What is left of a target for categories to explain.

// y minus what the other columns predict, by quick trees that have not seen the row. A mean of y itself by category would hold
// what goes along with the category: better diamonds are smaller, so their mean price is lower. The parts are positions in
// `rows`, and so is y. Without other columns, y.
std::vector<double> unexplained_by_other_columns(const TableView& x, RowsView rows, std::span<const double> y,
                                                 const std::vector<TrainingPart>& parts, std::uint64_t seed,
                                                 const ExecutionContext& context);

// The inputs of the rows that train f, for all predictors of a stack: encoded once for each encoding that one of them asks for.

class FoldInputs {
 public:
  // `y`: the targets of `rows`. The folds are positions in `rows`, which must outlive this.
  FoldInputs(const TableView& x, RowsView rows, std::span<const double> y, std::vector<TrainingPart> folds, std::uint64_t seed);

  // Before anything is asked about an encoding.
  void prepare(Encoding encoding, const ExecutionContext& context);

  RowsView rows() const { return rows_; }
  const std::vector<TrainingPart>& folds() const { return folds_; }
  const Encoder& encoder(Encoding encoding) const { return encoded_.at(encoding).training.encoder(); }
  // All rows as the member that one fold holds out may see them. May be called from several threads.
  std::shared_ptr<const InputPool> pool(Encoding encoding, std::size_t fold, int threads) const;

 private:
  struct Encoded {
    TrainingInputs training;
    std::shared_ptr<const InputPool> shared;  // of all folds; empty where each has its own, which is made when it is needed
  };

  TableView x_;
  RowsView rows_;
  std::vector<double> standard_;  // the targets in standard units
  std::vector<TrainingPart> folds_;
  std::uint64_t seed_;
  std::vector<double> unexplained_;
  std::map<Encoding, Encoded> encoded_;
};

}  // namespace taut
