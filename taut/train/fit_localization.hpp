// From a plan to a trained g: train every candidate, compare them on validation rows, keep one, train the rest of its members.
#pragma once

#include <taut/train/choice.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/plan.hpp>
#include <taut/train/training_part.hpp>

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

}  // namespace taut
