// The training loop, one for all localizers: epochs of mini-batches as in the paper, or boosting rounds.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/train/objective.hpp>

namespace taut {

inline constexpr std::string_view training_stage_name = "training the localizer";  // for progress

struct TrainingSettings {
  Index epochs = 0;    // passes over the data at most; 0: the localizer's own
  Index patience = 0;  // passes without a better validation loss before it stops; 0: the localizer's own
  int sides = 1;
  // Of more rows a member of g learns from so many, and stops by a quarter as many; each member draws its own.
  Index most_rows = 1 << 20;
  Index many_rows = 1 << 18;  // where there are more, it is tried whether so many do
  LocalizerSettings localizer;
};

// Inputs and residuals of the same rows; `base`, where given, is added to the localizer's output: the parameters from
// earlier stages of training, or those that predicted half-widths suggest.
struct TrainingRows {
  RowsView inputs;  // rows of the pool
  const Residuals& residuals;
  const Matrix* base = nullptr;
  bool base_is_trained = true;
};

struct TrainingRecord {
  std::vector<double> curve;  // validation loss before training (first) and after every epoch
  Index best_epoch = 0;       // 0: no epoch was better than the base
};

// Trains `localizer` for `transform` by `objective`; looks at the validation rows after every epoch and keeps the best one.
TrainingRecord train(Localizer& localizer, const Transform& transform, const Objective& objective, const InputPool& x,
                     const TrainingRows& training, const TrainingRows& validation, const TrainingSettings& settings,
                     const ExecutionContext& context);

}  // namespace taut
