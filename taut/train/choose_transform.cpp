#include <taut/train/choose_transform.hpp>

namespace taut {

namespace {

ClassLoss loss_of(const FittedLocalization& fitted) { return {fitted.validation_loss, fitted.loss_of_groups}; }

}  // namespace

ChosenTransform choose_transform(const std::vector<LocalizationPlan>& plans, const InputPool& x, const Residuals& residuals,
                                 const std::vector<TrainingPart>& parts, const ExecutionContext& context) {
  ChosenTransform best;
  std::vector<CandidateRecord> records;
  for (const LocalizationPlan& plan : plans) {
    FittedLocalization fitted = fit_localization(plan, x, residuals, parts, context);
    const bool first = records.empty();
    const double error = first ? 0 : standard_error(loss_of(fitted), loss_of(best.fitted));
    const bool better = first || is_clearly_better(loss_of(fitted), loss_of(best.fitted));
    for (CandidateRecord& record : fitted.candidates) {
      record.transform = &record == &fitted.candidates.front() ? record.name : plan.transform;  // the first is `fixed`
      record.standard_error = error;
      record.kept = record.kept && better;
    }
    // One width everywhere is the same whatever the class: it is listed once.
    const auto new_ones = fitted.candidates.begin() + (first ? 0 : 1);
    if (better)
      for (CandidateRecord& record : records) record.kept = false;
    records.insert(records.end(), new_ones, fitted.candidates.end());
    if (better) best = {plan.transform, std::move(fitted)};
  }
  best.fitted.candidates = std::move(records);
  return best;
}

}  // namespace taut
