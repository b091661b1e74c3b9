// `--transform auto`: several classes are trained, validation rows choose.
#pragma once

#include <taut/train/fit_localization.hpp>

namespace taut {

struct ChosenTransform {
  std::string transform;
  FittedLocalization fitted;  // its candidates are those of every class
};

// A plan for each class, from the simplest on, all compared by the same validation loss. A richer class is taken only where it is
// clearly better than the best simpler one.
ChosenTransform choose_transform(const std::vector<LocalizationPlan>& plans, const InputPool& x, const Residuals& residuals,
                                 const std::vector<TrainingPart>& parts, const ExecutionContext& context);

}  // namespace taut
