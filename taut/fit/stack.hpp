// The stack: several predictors over the same folds, and which of them are worth their time.
#pragma once

#include <taut/options/options.hpp>
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>

namespace taut {

struct TrainedStack {
  std::vector<TrainedCandidate> members;  // those that count
  std::vector<double> weights;            // of these
  StackRecord record;                     // of all that were tried
};

// Every predictor of the list that joins, with the target's scale that suits it; where there are many rows only those that do
// well on some of them. Weighted by what they predict for rows that they have not seen.
TrainedStack train_stack(const StackRows& rows, FoldInputs& inputs, const FitOptions& options, const PredictorSettings& settings,
                         const ExecutionContext& context);

// The scale for a predictor on its own: the one named or, for `auto`, that of the least error on rows held out.
std::string scale_in_force(const FitOptions& options, const StackRows& rows, const PredictorSettings& settings,
                           const ExecutionContext& context);

}  // namespace taut
