#include <taut/train/fit_localization.hpp>

#include <taut/core/types.hpp>
#include <taut/train/member_training.hpp>

namespace taut {

namespace {

// The best candidate with this number of sides, if there is one.
std::optional<std::size_t> best_with(const std::vector<Candidate>& candidates, int sides) {
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (candidates[c].localization.sides() == sides &&
        (!best || is_lower_loss(candidates[c].expected_loss(), candidates[*best].expected_loss())))
      best = c;
  return best;
}

}  // namespace

FittedLocalization fit_localization(const LocalizationPlan& plan, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const ExecutionContext& context) {
  const auto transform = transforms().make(plan.transform);
  const Validation validation(*transform, residuals, parts, plan);
  MemberTraining members(*transform, x, residuals, parts, plan);
  members.limit_rows(sufficient_rows(members, validation, plan, context));
  auto candidates = train_candidates(members, *transform, validation, plan, context);
  const auto one = best_with(candidates, 1), two = best_with(candidates, 2);
  const bool has_mean = plan.tries_mean && one && two;
  if (has_mean)
    candidates.push_back(mean_candidate(members, *transform, validation, candidates[*one], candidates[*two], context.threads));

  FittedLocalization result;
  result.candidates.push_back({"fixed", 1, validation.fixed_loss(context.threads)});
  std::vector<double> losses = {result.candidates.front().validation_loss};
  for (const Candidate& candidate : candidates) {
    losses.push_back(candidate.expected_loss());
    result.candidates.push_back({candidate.name, candidate.localization.sides(), losses.back()});
  }

  const std::size_t kept_at = choose(losses);
  result.candidates[kept_at].kept = true;
  result.validation_loss = result.candidates[kept_at].validation_loss;
  result.fell_back = kept_at == 0;
  if (result.fell_back) {
    result.loss_of_groups = validation.fixed_loss_of_groups(context.threads);
    return result;
  }
  const Candidate& kept = candidates[kept_at - 1];
  result.loss_of_groups = validation.loss_of_groups(kept.held_out, kept.localization.sides(), context.threads);
  const auto finish = [&](std::size_t at) {
    train_other_members(members, plan.candidates[at].stages, validation.parts(), candidates[at], context);
  };
  const bool keeps_mean = has_mean && kept_at == candidates.size();
  if (keeps_mean) {
    finish(*one);
    finish(*two);
    result.records = std::move(candidates[*two].records);
    result.localization =
        Localization::mean_of(std::move(candidates[*one].localization), std::move(candidates[*two].localization));
    return result;
  }
  finish(kept_at - 1);
  result.localization = std::move(candidates[kept_at - 1].localization);
  result.records = std::move(candidates[kept_at - 1].records);
  return result;
}

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
    // `fixed` is the same for every class, so it is listed once.
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
