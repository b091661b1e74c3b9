// Boosted trees with softmax loss and early stopping on validation rows.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/data/split.hpp>
#include <taut/task/label/row_labels.hpp>
#include <taut/trees/booster.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace taut {

// The log losses of two sets of logits on rows that neither was fitted to, and the standard error of their difference.
struct ComparedLosses {
  double without = missing, with = missing, error = missing;

  // Whether `with` is lower by more than the standard error. A loss that is not finite is never better, and any finite loss is
  // better than it.
  bool is_better() const;
};

// Both logits are of the same rows; `without` is multiplied by `beta` first.
ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, RowLabels labels);

// Number of margins. Two labels need one, that of the second label; the first has 0.
Index margins_for(Index classes);

// Logits before the first tree: the same for all rows, or those of each row.
struct StartLogits {
  std::span<const double> of_all = {};
  const Matrix* of_rows = nullptr;  // rows of the inputs x labels

  Index classes() const { return of_rows != nullptr ? of_rows->cols() : std::ssize(of_all); }
  std::span<const double> at(Index row) const {
    return of_rows != nullptr ? std::span(of_rows->row(row).data(), static_cast<std::size_t>(of_rows->cols())) : of_all;
  }
};

class ClassGrowth {
 public:
  // `labels`: of all rows of `x`, in their order. `x` has the same weights as the labels.
  ClassGrowth(const InputPool& x, const TrainingPart& part, RowLabels labels, StartLogits start, const BoosterSettings& settings);

  // Grows `rounds` rounds without early stopping; there may be no validation rows.
  Forest grow(Index rounds, const ExecutionContext& context);
  // Grows with early stopping by the log loss of validation rows. Returns the best number of rounds.
  Index grow(const ExecutionContext& context);
  // Logits of the validation rows, after grow().
  Matrix held_out() const;

 private:
  double held_out_loss() const;
  void differentiate();

  TrainingPart part_;
  RowLabels labels_;
  StartLogits start_;
  int threads_;
  Booster booster_;
  Matrix gradient_, curvature_;
};

// Grows trees for each fold and returns the mean of their best numbers of rounds. `held_out`, rows x labels, receives the logits
// of the rows that each fold holds out. `inputs_of(fold, threads)`: the inputs of a fold.
Index grow_folds(const std::vector<TrainingPart>& folds, RowLabels labels, StartLogits start, const BoosterSettings& settings,
                 const std::function<std::shared_ptr<const InputPool>(std::size_t, int)>& inputs_of, Matrix& held_out,
                 const ExecutionContext& context);

// Adds the output of trees, which has margins_for() columns, to logits of all labels.
void add_margins(const Matrix& margins, Matrix& logits);

}  // namespace taut
