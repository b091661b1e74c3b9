#include <taut/model/folded_predictor.hpp>

#include <taut/core/trace.hpp>

#include <utility>

namespace taut {

FoldedPredictor::FoldedPredictor(std::string name, TargetScale scale, StandardUnits units)
    : name_(std::move(name)), scale_(std::move(scale)), units_(units) {
  const auto made = predictors().make(name_);
  outputs_ = static_cast<std::size_t>(made->outputs());
  needs_ = made->needs();
}

std::vector<double> FoldedPredictor::train_member(std::size_t fold, const FoldInputs& inputs, std::span<const double> y,
                                                  const PredictorSettings& settings, const ExecutionContext& context) {
  const Traced traced(
      "train f", [&] { return name_ + ", fold " + std::to_string(fold + 1) + " of " + std::to_string(inputs.folds().size()); });
  const TrainingPart& part = inputs.folds()[fold];
  const Rows training = part.train();
  const auto pool = inputs.pool(needs_, fold, context.threads);
  std::vector<double> standard = pick(y, training);
  for (double& value : standard) value = units_.standard(scale_.forward(value));
  PredictorSettings own = settings;
  own.seed = settings.seed + fold;
  auto member = predictors().make(name_);
  member->fit(*pool, training, standard, own, context);
  std::vector<double> held_out(static_cast<std::size_t>(part.validation_rows()) * outputs_);
  member->predict(pool->floats().middleRows(part.begin, part.validation_rows()), held_out, context.threads);
  pool->let_rest();
  for (double& value : held_out) value = in_units(value);
  members_[fold] = std::move(member);
  return held_out;
}

std::vector<double> FoldedPredictor::predict(const Inputs& inputs, int threads) const {
  std::vector<double> mean(static_cast<std::size_t>(inputs.rows()) * outputs_), one(mean.size());
  for (const auto& member : members_) {
    member->predict(inputs, one, threads);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / static_cast<double>(members_.size());
  }
  for (double& value : mean) value = in_units(value);
  return mean;
}

void FoldedPredictor::save(Archive archive) const {
  archive.put("name", name_);
  units_.save(archive);
  if (!scale_.is_identity()) scale_.save(archive);
  limits_.save(archive);
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->save(archive.scope("member" + std::to_string(m)));
}

FoldedPredictor FoldedPredictor::load(const Archive& archive) {
  FoldedPredictor predictor(archive.text("name"), TargetScale::load(archive), StandardUnits::load(archive));
  predictor.limits_ = PredictionLimits::load(archive);
  return predictor;
}

void FoldedPredictor::load_members(const Archive& archive, Index inputs) {
  members_.resize(static_cast<std::size_t>(archive.integer_in("members", 1, 1000)));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m] = predictors().make(name_);
    members_[m]->load(archive.scope("member" + std::to_string(m)), inputs);
  }
}

}  // namespace taut
