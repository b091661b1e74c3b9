// The training of one member of g, and how rows that it has not seen judge it.
#pragma once

#include <taut/task/label/set_objective.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/input_pool.hpp>
#include <taut/train/training_part.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

struct TrainedShift {
  Forest forest;
  std::vector<double> validation;  // g of the rows that validate
};

// Boosted on the rows that train, until the objective of those that validate has not fallen for a while.
TrainedShift train_shift(const InputPool& x, const TrainingPart& part, const SetRows& rows, const SetObjective& objective,
                         std::uint64_t seed, const ExecutionContext& context);

// What each row costs without g and with it: sizes of sets, or pinball losses, with cut-offs that are exact quantiles of the
// rows that validate; the mean over the levels.
struct ShiftedRows {
  std::vector<double> without, with;
};
ShiftedRows judge_shift(const SetRows& rows, const TrainingPart& part, std::span<const double> g, const SetObjective& objective);

}  // namespace taut
