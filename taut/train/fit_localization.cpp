#include <taut/train/fit_localization.hpp>

#include <taut/train/candidate_training.hpp>

namespace taut {

FittedLocalization fit_localization(const LocalizationPlan& plan, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const ExecutionContext& context) {
  const auto transform = transforms().make(plan.transform);
  const Validation validation(*transform, residuals, parts, plan);
  const MemberTraining members(*transform, x, residuals, parts, plan);
  auto candidates = train_candidates(members, *transform, validation, plan, context);

  FittedLocalization result;
  result.candidates.push_back({"fixed", 1, validation.fixed_loss(context.threads)});
  std::vector<Contender> contenders = {{result.candidates.front().validation_loss}};
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& one = candidates[c];
    result.candidates.push_back({one.name, one.localization.sides(), one.validation_loss});
    contenders.push_back({one.validation_loss, plan.candidates[c].lead});
  }

  const std::size_t kept_at = choose(contenders);
  result.candidates[kept_at].kept = true;
  result.validation_loss = result.candidates[kept_at].validation_loss;
  result.fell_back = kept_at == 0;
  if (result.fell_back) {
    result.loss_of_groups = validation.fixed_loss_of_groups(context.threads);
    return result;
  }
  Candidate kept = std::move(candidates[kept_at - 1]);
  result.loss_of_groups = validation.loss_of_groups(kept.held_out, kept.localization.sides(), context.threads);
  train_other_members(members, plan.candidates[kept_at - 1].stages, validation.parts(), kept, context);
  result.localization = std::move(kept.localization);
  result.records = std::move(kept.records);
  return result;
}

}  // namespace taut
