// The entries of φ in a model file.
#include <taut/fit/score_model.hpp>

#include <taut/core/error.hpp>

#include <cmath>

namespace taut {

void ScoreModel::save(Archive archive) const {
  archive.put("transform", name_);
  archive.put("unit", unit_);
  score_scale_.save(archive);
  if (levels_) {
    archive.put("quantile_levels", levels_->levels());
    archive.put("of_probability", static_cast<std::int64_t>(is_of_probability_));
    archive.put("min_slope", min_slope_);
    limits_.save(archive.scope("given"));
  }
  if (transform_->n_params() == 0) return;
  archive.put("sees_prediction", static_cast<std::int64_t>(sees_prediction_));
  if (sees_exposure_) archive.put("sees_exposure", std::int64_t{1});
  if (sees_disagreement_) archive.put("sees_disagreement", std::int64_t{1});
  if (min_half_width_ > 0) archive.put("least_half_width", min_half_width_);
  if (prediction_offset_ != 0) archive.put("prediction_offset", prediction_offset_);
  if (is_of_probability_) archive.put("prediction_unit", prediction_unit_);
  encoder_.save(archive.scope("localizer_encoder"));
  localization_.save(archive.scope("localization"));
  if (!beyond_training_.empty()) beyond_training_.save(archive.scope("beyond_training"));
  if (has_shape()) shape_->save(archive.scope(name_));
}

ScoreModel ScoreModel::load(const Archive& archive, const std::vector<Column>& schema, bool predicts_ends) {
  ScoreModel score;
  score.set_transform(archive.text("transform"));
  score.unit_ = archive.number("unit");
  if (!(score.unit_ > 0) || !std::isfinite(score.unit_))
    throw Error("the model file's unit of residuals makes no sense: it is damaged");
  score.score_scale_ = ScoreScale::load(archive);
  if (predicts_ends && !score.score_scale_.is_identity())
    throw Error("the model file has predicted ends and scores on another scale: it is damaged");
  if (archive.has("quantile_levels")) score.load_distribution(archive);
  if (score.transform_->n_params() == 0) return score;
  score.sees_prediction_ = archive.integer_in("sees_prediction", 0, 1) == 1;
  score.sees_exposure_ = archive.has("sees_exposure");
  score.sees_disagreement_ = archive.has("sees_disagreement");
  if (archive.has("prediction_offset")) score.prediction_offset_ = archive.number("prediction_offset");
  if (!std::isfinite(score.prediction_offset_))
    throw Error("the model file's offset of predictions is not a finite number: it is damaged");
  score.encoder_ = Encoder::load(archive.scope("localizer_encoder"), schema);
  if (score.is_of_probability_) {
    score.prediction_unit_ = archive.number("prediction_unit");
    if (!(score.prediction_unit_ > 0) || !std::isfinite(score.prediction_unit_))
      throw Error("the model file's unit of predictions makes no sense: it is damaged");
  }
  if (predicts_ends || score.levels_) {
    score.min_half_width_ = archive.number("least_half_width");
    if (!(score.min_half_width_ > 0) || !std::isfinite(score.min_half_width_))
      throw Error("the model file's minimum half-width makes no sense: it is damaged");
  }
  const Index inputs = score.encoder_.columns() + score.n_prediction_inputs();
  score.localization_ = Localization::load(archive.scope("localization"), *score.scale_, inputs);
  if (archive.has_scope("beyond_training"))
    score.beyond_training_ = BeyondTraining::load(archive.scope("beyond_training"), score.encoder_.columns());
  if (score.scale_ != score.transform_)
    score.shape_ = shapes().make(score.name_)->load(archive.scope(score.name_), inputs, score.sides());
  return score;
}

}  // namespace taut
