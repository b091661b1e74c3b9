// From plans to a trained g: train every candidate, compare them on validation rows, keep one.
#pragma once

#include <taut/data/split.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/plan.hpp>
#include <taut/train/validation.hpp>

namespace taut {

struct FittedLocalization {
  Localization localization;                // without members where nothing beat `fixed`
  std::vector<CandidateRecord> candidates;  // the first is `fixed`
  std::vector<TrainingRecord> records;      // of the kept candidate's last stage, one per member
  bool fell_back = false;
  double validation_loss = 0;          // of the kept candidate
  std::vector<double> loss_of_groups;  // the same in equal groups of the validation rows, for its standard error
};

FittedLocalization fit_localization(const LocalizationPlan& plan, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const ExecutionContext& context);

// `--transform auto`: several classes are trained, validation rows choose.

struct ChosenTransform {
  std::string transform;
  FittedLocalization fitted;  // its candidates are those of every class
};

// A plan for each class, from the simplest on, all compared by the same validation loss. A richer class is taken only where it is
// clearly better than the best simpler one.
ChosenTransform choose_transform(const std::vector<LocalizationPlan>& plans, const InputPool& x, const Residuals& residuals,
                                 const std::vector<TrainingPart>& parts, const ExecutionContext& context);

}  // namespace taut
