// The stack: several predictors trained over the same folds and averaged with weights.
#pragma once

#include <taut/options/options.hpp>
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>

namespace taut {

struct TrainedStack {
  std::vector<TrainedCandidate> members;  // those with a positive weight
  std::vector<double> weights;            // by member
  StackRecord record;                     // of all candidates
};

// Trains every predictor with joins_stack(), on its best scale of the target. With many rows or columns, predictors are first
// screened on a sample. The weights come from out-of-fold predictions.
TrainedStack train_stack(const StackRows& rows, FoldInputs& inputs, const FitOptions& options, const PredictorSettings& settings,
                         const ExecutionContext& context);

// Weighs the members anew by their out-of-fold predictions. A weight may become 0. Returns their errors.
std::vector<double> weigh_stack(TrainedStack& stack, const StackRows& rows, bool mean);

// The target scale of a single predictor: the named one or, for `auto`, the one with the lowest error on held-out rows.
std::string scale_in_force(const FitOptions& options, const StackRows& rows, const PredictorSettings& settings,
                           const ExecutionContext& context);

}  // namespace taut
