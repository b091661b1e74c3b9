// Predictors trained over the same folds, side by side. Those that turn out not to be worth it are left out of what is not begun.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/model/folded_predictor.hpp>

#include <functional>

namespace taut {

// What may be trained: a predictor, and the scale on which it learns the target.
struct StackCandidate {
  std::string predictor;
  std::string scale = "as-is";
  bool is_limited = true;  // predictions stay near the training targets where out-of-fold rows say so; else only on another scale
};

// A candidate trained over folds, with its predictions of the rows that it has not seen.
struct TrainedCandidate {
  FoldedPredictor predictor;
  std::vector<double> held_out{};  // rows x outputs
  double seconds = 0;              // that its training took on one thread or more
};

// Rows with their targets and folds. Targets and folds are in the order of `rows`, which must outlive this.
struct StackRows {
  const TableView& x;
  RowsView rows;
  std::vector<double> y;
  std::vector<TrainingPart> folds;
  bool in_order = false;  // folds are blocks of time
};

class FoldTraining {
 public:
  struct Job {
    std::size_t candidate, fold;
  };

  // `inputs` were made from the same rows. All that is named here must outlive this.
  FoldTraining(const std::vector<StackCandidate>& candidates, const StackRows& rows, FoldInputs& inputs,
               const PredictorSettings& settings, const ExecutionContext& context);

  // Side by side, begun in this order. A job is left out if it is not wanted when its turn comes; `done` hears of the others.
  // Both are called from several threads.
  void train(const std::vector<Job>& jobs, const std::function<bool(Job)>& is_wanted, const std::function<void(Job)>& done);
  // What every candidate predicts for the rows of a fold, once all are trained on it: rows x candidates.
  Matrix held_out(std::size_t fold) const;
  // Those that are to be kept, all of them trained on every fold.
  std::vector<TrainedCandidate> taken(const std::vector<bool>& kept) &&;

 private:
  const StackRows& rows_;
  FoldInputs& inputs_;
  PredictorSettings settings_;
  const ExecutionContext& context_;
  void limit(TrainedCandidate& candidate) const;

  std::vector<TrainedCandidate> candidates_;
  std::vector<bool> are_limited_;
  std::vector<std::vector<std::vector<double>>> held_out_;  // of each candidate, of each fold
};

// Each candidate over all folds, side by side. `inputs` were made from the same rows.
std::vector<TrainedCandidate> train_over_folds(const std::vector<StackCandidate>& candidates, const StackRows& rows,
                                               FoldInputs& inputs, const PredictorSettings& settings,
                                               const ExecutionContext& context);

}  // namespace taut
