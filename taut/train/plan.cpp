#include <taut/train/plan.hpp>

#include <taut/train/objective_names.hpp>

namespace taut {

namespace {

// Candidates that continue one another, each with one stage more than the previous one.
class Chain {
 public:
  Chain(const Transform& transform, int sides, LocalizationPlan& plan) : transform_(transform), sides_(sides), plan_(plan) {}

  // A first stage trains only the parameters that move the curve. Otherwise a wrong position would be fitted by a wrong shape.
  Chain& train(const std::string& objective) {
    if (stages_.empty() && transform_.n_moving_params() > 0)
      add(objective + ", moved only", {Stage::Kind::train_moving, objective});
    add(objective, {Stage::Kind::train, objective});
    return *this;
  }

  // Only scale families have a scale that can be raised to a power.
  Chain& choose_exponent() {
    if (transform_.is_scale()) add(plan_.candidates.back().name + " ^ e", {Stage::Kind::choose_exponent});
    return *this;
  }

 private:
  void add(std::string name, Stage stage) {
    stages_.push_back(std::move(stage));
    plan_.candidates.push_back({std::move(name), sides_, stages_});
  }

  const Transform& transform_;
  int sides_;
  LocalizationPlan& plan_;
  std::vector<Stage> stages_;
};

void add_candidates(const LocalizationOptions& options, const std::string& objective, const Transform& transform, int sides,
                    LocalizationPlan& plan) {
  Chain chain(transform, sides, plan);
  if (options.focus) {
    chain.train(objective).choose_exponent().train(level_objective(*options.focus));
    return;
  }
  const auto made = objectives().make(objective);
  if (made->needs_warm_up()) chain.train(default_objective(transform, Aim::narrow));
  chain.train(objective);
  if (sides == 1 || !options.objective.empty()) return;
  for (const auto& companion : made->two_sided_companions()) Chain(transform, sides, plan).train(companion);
}

}  // namespace

std::string objective_for(const LocalizationOptions& options, const std::string& transform, bool first) {
  const auto phi = transforms().make(transform);
  const std::string& named = options.objective;
  if (!named.empty() && (first || objectives().make(named)->fits(*phi))) return spell_out_levels(named, Spelling::confidence);
  return default_objective(*phi, options.focus ? Aim::narrow : Aim::equal_coverage);
}

std::vector<LocalizationPlan> localization_plans(const LocalizationOptions& options, const std::vector<std::string>& transforms) {
  std::vector<LocalizationPlan> plans;
  for (const auto& name : transforms) {
    const std::string objective = objective_for(options, name, plans.empty());
    require_fit(objective, name);
    LocalizationPlan plan;
    plan.transform = name;
    plan.localizer = options.localizer;
    plan.validation_objective = plans.empty() ? objective : plans.front().validation_objective;
    plan.focus = options.focus;
    plan.training = options.training;
    const auto transform = taut::transforms().make(name);
    for (const int sides : options.sides) add_candidates(options, objective, *transform, sides, plan);
    plan.tries_mean = !options.focus && options.objective.empty() && options.sides.size() == 2 && transform->is_scale() &&
                      objectives().make(objective)->validates_by_interval_score();
    plans.push_back(std::move(plan));
  }
  return plans;
}

LocalizationPlan localization_plan(const LocalizationOptions& options, const std::string& transform) {
  return std::move(localization_plans(options, {transform}).front());
}

}  // namespace taut
