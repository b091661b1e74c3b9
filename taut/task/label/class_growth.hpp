// Boosted trees with softmax loss, grown until rows that validate say that it is enough.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/data/split.hpp>
#include <taut/trees/booster.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace taut {

// Whether logits are better than others on rows that neither were fitted to: both log losses, and the error of their difference.

struct ComparedLosses {
  double without = missing, with = missing, error = missing;

  // By more than the standard error of the difference. Losses that are not finite never win, and lose to finite ones.
  bool is_better() const;
};

// Of the same rows; `without` are multiplied by `beta` first.
ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, std::span<const Index> labels);

// Two labels need one margin: that of the second, the first has 0.
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
  // `labels` of all rows of `x`, in their order.
  ClassGrowth(const InputPool& x, const TrainingPart& part, std::span<const Index> labels, StartLogits start,
              const BoosterSettings& settings);

  // So many rounds, whatever the rows that validate say: there may be none.
  Forest grow(Index rounds, const ExecutionContext& context);
  // Until the log loss of rows that validate has not fallen for a while; the best number of rounds.
  Index grow(const ExecutionContext& context);
  // Logits of the rows that validate, after grow().
  Matrix held_out() const;

 private:
  double held_out_loss() const;
  void differentiate();

  TrainingPart part_;
  std::span<const Index> labels_;
  StartLogits start_;
  int threads_;
  Booster booster_;
  Matrix gradient_, curvature_;
};

// Grows on each fold: the rounds that are best on average. `held_out`, rows x labels, gets the logits of the rows that each fold
// holds out. `inputs_of`: the inputs that a fold sees, on so many threads.
Index grow_folds(const std::vector<TrainingPart>& folds, std::span<const Index> labels, StartLogits start,
                 const BoosterSettings& settings,
                 const std::function<std::shared_ptr<const InputPool>(std::size_t, int)>& inputs_of, Matrix& held_out,
                 const ExecutionContext& context);

// Adds what trees say, margins_for() columns, to logits of all labels.
void add_margins(const Matrix& margins, Matrix& logits);

}  // namespace taut
