// The inputs of the rows that train a part. Where trees see what a category says about the target, a training row must not be
// described by itself, or trees would read off the target what no new row will tell them.
#pragma once

#include <taut/data/encoding.hpp>
#include <taut/train/training_part.hpp>

#include <optional>

namespace taut {

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

}  // namespace taut
