// The stack: several predictors over the same folds, and which of them are worth their time.
#pragma once

#include <taut/model/folded_predictor.hpp>
#include <taut/model/options.hpp>
#include <taut/model/stack_record.hpp>

namespace taut {

// What may be trained: a predictor, and the scale on which it learns the target.
struct StackCandidate {
  std::string predictor;
  std::string scale = "as-is";
};

// A candidate trained over folds, with its predictions of the rows that it has not seen.
struct TrainedCandidate {
  FoldedPredictor predictor;
  std::vector<double> held_out{};  // rows x outputs
  double seconds = 0;              // that its training took on one thread or more
};

struct TrainedStack {
  std::vector<TrainedCandidate> members;  // those that count
  std::vector<double> weights;            // of these
  StackRecord record;                     // of all that were tried
};

// Rows with their targets and folds. Targets and folds are in the order of `rows`, which must outlive this.
struct StackRows {
  const TableView& x;
  RowsView rows;
  std::vector<double> y;
  std::vector<TrainingPart> folds;
};

// Each candidate over all folds, side by side. `inputs` were made from the same rows.
std::vector<TrainedCandidate> train_over_folds(const std::vector<StackCandidate>& candidates, const StackRows& rows,
                                               FoldInputs& inputs, const PredictorSettings& settings,
                                               const ExecutionContext& context);

// Every predictor of the list that joins, with the target's scale that suits it; where there are many rows only those that do
// well on some of them. Weighted by what they predict for rows that they have not seen.
TrainedStack train_stack(const StackRows& rows, FoldInputs& inputs, const FitOptions& options, const PredictorSettings& settings,
                         const ExecutionContext& context);

// The scale for a predictor on its own: the one named or, for `auto`, that of the least error on rows held out.
std::string scale_in_force(const FitOptions& options, const StackRows& rows, const PredictorSettings& settings,
                           const ExecutionContext& context);

}  // namespace taut
