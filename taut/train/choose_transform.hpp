// `--transform auto`: several classes are trained, validation rows choose.
#pragma once

#include <taut/train/fit_localization.hpp>

namespace taut {

struct TransformCandidate {
  std::string transform;
  LocalizationPlan plan;  // all plans have the same judge
};

struct ChosenTransform {
  std::string transform;
  FittedLocalization fitted;  // its candidates are those of every class
};

// Candidates in the order of their simplicity. A richer class is taken only where its figure is better than that of the best
// simpler one by more than the standard error of the difference, paired over parts of the validation rows.
ChosenTransform choose_transform(const std::vector<TransformCandidate>& candidates, const InputPool& x,
                                 const Residuals& residuals, const std::vector<TrainingPart>& parts,
                                 const ExecutionContext& context);

}  // namespace taut
