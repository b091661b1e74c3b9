// The training loop of all localizers: epochs of mini-batches as in the paper, or boosting rounds.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/train/objective.hpp>

namespace taut {

inline constexpr std::string_view training_stage_name = "training the localizer";  // for progress

struct TrainingSettings {
  Index epochs = 0;    // maximum number of passes over the data; 0: the default of the localizer
  Index patience = 0;  // passes without a better validation loss before training stops; 0: the default of the localizer
  int sides = 1;
  // A member of g is trained on at most `max_rows` rows, with early stopping on at most a quarter as many. Each member has a
  // separate random sample.
  Index max_rows = 1 << 20;
  Index many_rows = 1 << 18;  // with more rows, a trial shows whether this number is enough
  LocalizerSettings localizer;
};

// Inputs and residuals of the same rows. `base`, if not null, is added to the localizer's output: the parameters from earlier
// stages of training, or the initial parameters from predicted half-widths.
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

// Trains `localizer` for `transform` by `objective`. Evaluates the validation loss after every epoch and keeps the best epoch.
TrainingRecord train(Localizer& localizer, const Transform& transform, const Objective& objective, const InputPool& x,
                     const TrainingRows& training, const TrainingRows& validation, const TrainingSettings& settings,
                     const ExecutionContext& context);

}  // namespace taut
