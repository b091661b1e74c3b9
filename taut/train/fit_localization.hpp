// From plans to a trained g: train every candidate, compare them on validation rows, keep one.
#pragma once

#include <taut/data/split.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/plan.hpp>
#include <taut/train/validation.hpp>

namespace taut {

struct FittedLocalization {
  Localization localization;                // without members if no candidate was better than `fixed`
  std::vector<CandidateRecord> candidates;  // the first is `fixed`
  std::vector<TrainingRecord> records;      // of the kept candidate's last stage, one per member
  bool fell_back = false;                   // to `fixed`
  double validation_loss = 0;               // of the kept candidate
  std::vector<double> loss_of_groups;       // its loss in equal groups of the validation rows, for the standard error
};

FittedLocalization fit_localization(const LocalizationPlan& plan, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const ExecutionContext& context);

// The result of `--transform auto`.
struct ChosenTransform {
  std::string transform;
  FittedLocalization fitted;  // `candidates` has those of every class
};

// Trains several classes and chooses one on validation rows. `plans` has a plan for each class, the simplest first, with the same
// validation loss. A richer class is chosen only if it is better than the best simpler one by more than the standard error.
ChosenTransform choose_transform(const std::vector<LocalizationPlan>& plans, const InputPool& x, const Residuals& residuals,
                                 const std::vector<TrainingPart>& parts, const ExecutionContext& context);

}  // namespace taut
