#include <taut/fit/score_model.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/fit/choose_score_scale.hpp>
#include <taut/predict/training_inputs.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The minimum of predicted half-widths, as a share of their mean.
constexpr double min_share = 1e-3;

double mean_half_width(const RowPredictions& predicted) {
  double mean = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) mean += predicted[i].half_width() / static_cast<double>(predicted.size());
  return mean;
}

double mean_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

// A scale of 1 everywhere.
Localization untrained(const std::string& localizer, std::size_t members) {
  Localization result(localizer, 1);
  result.members().resize(members);
  return result;
}

}  // namespace

ScoreModel::ScoreModel() { set_transform("fixed"); }

struct ScoreModel::TrainingData {
  const TableView& x;
  const RowPredictions& predicted;
  std::span<const double> y;
  const RowPlan& plan;
  const FitOptions& options;
  const ExecutionContext& context;
  bool keeps_held_out = false;  // g on validation rows is needed to compare scales of the score

  Rows validation_rows() const {
    Rows rows;
    for (const TrainingPart& part : plan.parts)
      for (Index row = part.begin; row < part.end; ++row) rows.push_back(row);
    return rows;
  }
  ScaleLoss loss_of(const Fitted& fitted) const {
    const Rows rows = validation_rows();
    const auto score_of = [&](std::size_t i) {
      return fitted.score.at(predicted[static_cast<std::size_t>(rows[i])], fitted.held_out.row(static_cast<Index>(i)).data());
    };
    return {score_of, pick(y, rows), options};
  }
};

ScoreModel::Fitted ScoreModel::fit(const TableView& x, const RowPredictions& predicted, std::span<const double> y,
                                   const RowPlan& plan, const FitOptions& options, const ExecutionContext& context) {
  const auto scales = score_scales_to_try(options, y);
  const bool compares = scales.size() > 1 && plan.validation_rows() > 0;
  const TrainingData data{x, predicted, y, plan, options, context, compares};
  Fitted best = fit_on(ScoreScale(scales.front(), y), data);
  if (compares) {
    const ScaleLoss as_is = data.loss_of(best);
    double lowest = as_is.loss();
    const bool is_exact = !std::isfinite(lowest);  // intervals of width 0 that cover: no scale can be better
    for (std::size_t i = 1; i < scales.size() && !is_exact; ++i) {
      const Traced traced("try a scale of the score", [&] { return scales[i]; });
      Fitted other = fit_on(ScoreScale(scales[i], y), data);
      const ScaleLoss loss = data.loss_of(other);
      if (!loss.is_clearly_lower_than(as_is) || !is_lower_loss(loss.loss(), lowest)) continue;
      best = std::move(other);
      lowest = loss.loss();
    }
  }
  if (!best.message.empty()) context.tell_detail(best.message);
  return best;
}

ScoreModel::Fitted ScoreModel::fit_on(ScoreScale scale, const TrainingData& data) {
  const auto& [x, predicted, y, plan, options, context, keeps_held_out] = data;
  Fitted result;
  result.score.score_scale_ = scale;
  if (keeps_held_out) result.held_out.resize(plan.validation_rows(), 0);
  if (!options.adapts()) return result;
  std::vector<double> own_f, own_z;  // no copies of long columns if scores measure the target as it is
  if (!scale.is_identity()) {
    own_f = scale.centres(predicted.f());
    own_z = scale.forward(y);
  }
  const std::span<const double> f = scale.is_identity() ? predicted.f() : own_f, z = scale.is_identity() ? y : own_z;
  const double mean_residual = mean_of(residuals(f, z).size);
  if (!(mean_residual > 0)) {
    result.fell_back = true;
    result.message = "every prediction is exact on the rows that would train the transformation: one width everywhere is kept";
    return result;
  }
  ScoreModel score;
  score.score_scale_ = scale;
  const auto localizer = localizers().make(options.localizer);
  score.sees_prediction_ =
      options.see_prediction == "yes" || (options.see_prediction == "auto" && localizer->uses_prediction_by_default());
  const Encoding encoding = localizer->accepts_missing() ? Encoding::raw : Encoding::standardised;
  score.unit_ = mean_residual;
  if (predicted.has_ends()) {
    const double mean = mean_half_width(predicted);
    score.min_half_width_ = mean > 0 ? min_share * mean : mean_residual;
  }
  Residuals scaled = residuals(f, z, score.unit_);
  const TrainingInputs training_inputs(encoding, x, plan.transform, scaled.size, plan.parts, /*with_counts=*/true);
  score.encoder_ = training_inputs.encoder();
  if (score.sees_prediction_) score.learn_prediction_offset(f);
  const InputPool inputs = [&] {
    const Traced traced("encode", [] { return std::string("inputs of g"); });
    return InputPool(score.with_predictions(training_inputs.shared(context.threads), predicted));
  }();
  return_free_memory();
  const auto plans = localization_plans(options.localization(), options.transforms_in_force());
  scaled.half_width = score.starts(predicted);
  auto [name, fitted] = choose_transform(plans, inputs, scaled, plan.parts, context);
  result.candidates = std::move(fitted.candidates);
  if (!fitted.records.empty()) result.first_member = fitted.records.front();
  score.set_transform(name);
  score.localization_ = fitted.fell_back ? untrained(options.localizer, plan.parts.size()) : std::move(fitted.localization);
  // With predicted ends, `fixed` measures from the ends, so no scale is equivalent to it.
  const bool has_scale = !fitted.fell_back || !predicted.has_ends();
  if (options.tries_shape() && has_scale) score.add_shape(inputs, scaled, data, result);
  result.fell_back = fitted.fell_back && !score.has_shape();
  if (result.fell_back) {
    result.message = "the trained transformation did not beat one width everywhere on validation rows: falling back to 'fixed'";
    return result;
  }
  if (keeps_held_out && !score.has_shape()) result.held_out = score.held_out_params(inputs, plan.parts, context.threads);
  result.score = std::move(score);
  return result;
}

Matrix ScoreModel::held_out_params(const InputPool& inputs, const std::vector<TrainingPart>& parts, int threads) const {
  Matrix all(count_validation_rows(parts), scale_->n_params() * sides());
  Index first = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Rows rows = parts[p].validation();
    all.middleRows(first, std::ssize(rows)) = localization_.centred_params(p, *scale_, inputs.gather(rows), {}, threads);
    first += std::ssize(rows);
  }
  return all;
}

void ScoreModel::set_transform(const std::string& name) {
  transform_ = transforms().make(name);
  const std::string base = transform_->base();
  scale_ = base.empty() ? transform_ : transforms().make(base);
  name_ = name;
}

void ScoreModel::add_shape(const InputPool& inputs, const Residuals& scaled, const TrainingData& data, Fitted& result) {
  const FitOptions& options = data.options;
  auto& candidates = result.candidates;
  const auto seed = static_cast<std::uint64_t>(options.seed);
  auto fitted =
      shapes().make(options.transform)->fit(localization_, *scale_, inputs, scaled, data.plan.parts, seed, data.context);
  const auto kept = std::find_if(candidates.begin(), candidates.end(), [](const auto& one) { return one.kept; });
  // If no scale was better than one width, the shape must be better by more than the standard error.
  const bool is_kept = fitted.is_better(/*clearly=*/localization_.exponents().empty());
  CandidateRecord record{format_text("{}, {}", kept->name, options.transform),
                         2,
                         fitted.validation_loss,
                         is_kept,
                         options.transform,
                         fitted.standard_error};
  // The shape is validated on every part, earlier candidates on one or two. The list therefore shows its improvement over its
  // scale on the same parts.
  record.validation_loss = kept->validation_loss + fitted.validation_loss - fitted.loss_of_scale;
  kept->kept = !record.kept;
  candidates.push_back(record);
  if (!record.kept) return;
  shape_ = std::move(fitted.shape);
  if (data.keeps_held_out) result.held_out = std::move(fitted.held_out);
  set_transform(options.transform);
}

RowScore ScoreModel::at(const RowPrediction& predicted, const double* g) const {
  const Index params = transform_->n_params();
  const double f = score_scale_.centre(predicted.f);
  if (has_shape()) {
    const double shift = g[2 * params];
    return {RowPrediction(f + unit_ * shift), unit_, *transform_, g, g + params, predicted.f, score_scale_};
  }
  const double* const above = g + (sides() == 2 ? params : 0);
  if (score_scale_.is_identity()) return {params > 0 ? RowPrediction(f) : predicted, unit_, *transform_, g, above};
  return {RowPrediction(f), unit_, *transform_, g, above, predicted.f, score_scale_};
}

Index ScoreModel::n_params_of_row() const {
  const Index params = transform_->n_params();
  return has_shape() ? 2 * params + 1 : params * std::max(1, sides());
}

double ScoreModel::start_of(const RowPrediction& predicted) const {
  return std::max(predicted.half_width(), min_half_width_) / unit_;
}

std::vector<double> ScoreModel::starts(const RowPredictions& predicted) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < predicted.size() && min_half_width_ > 0; ++i) result.push_back(start_of(predicted[i]));
  return result;
}

Matrix ScoreModel::params(const TableView& x, RowsView rows, const RowPredictions& predicted, int threads) const {
  if (transform_->n_params() == 0) return Matrix(static_cast<Index>(rows.size()), 0);
  const MatrixF inputs = with_predictions(encoder_.encode(x, rows, threads), predicted);
  return params_of_inputs(inputs, starts(predicted), threads);
}

Matrix ScoreModel::params_of_inputs(const MatrixF& inputs, std::span<const double> starts, int threads) const {
  Matrix g = localization_.params(*scale_, inputs, starts, threads);
  if (!has_shape()) return g;
  const Matrix scales = log_scales_of(*scale_, g, sides());
  const Matrix of_shape = shape_->params(inputs, scales, threads);
  g.resize(g.rows(), of_shape.cols() + scales.cols());
  g << of_shape, scales;
  return g;
}

Matrix ScoreModel::params_of_encoded(MatrixF encoded, const RowPredictions& predicted, int threads) const {
  return params_of_inputs(with_predictions(std::move(encoded), predicted), starts(predicted), threads);
}

Matrix ScoreModel::params_of_row(const double* cells, const RowPrediction& predicted) const {
  if (transform_->n_params() == 0) return Matrix(1, 0);
  MatrixF inputs(1, encoder_.columns() + n_prediction_inputs());
  encoder_.encode_row(cells, inputs.data());
  see(predicted, inputs.data() + encoder_.columns());
  const double start = start_of(predicted);
  return params_of_inputs(inputs, {&start, min_half_width_ > 0 ? 1U : 0U}, 1);
}

void ScoreModel::see(const RowPrediction& predicted, float* out) const {
  if (sees_prediction_) *out++ = to_float((score_scale_.centre(predicted.f) - prediction_offset_) / unit_);
  if (sees_ends()) *out = static_cast<float>(std::log(start_of(predicted)));
}

// Without an offset, values of f that are large and nearly equal would be rounded to the same float.
void ScoreModel::learn_prediction_offset(std::span<const double> f) {
  const std::size_t step = std::max<std::size_t>(1, f.size() / static_cast<std::size_t>(float_offset_sample));
  std::vector<double> sample;
  for (std::size_t i = 0; i < f.size(); i += step) sample.push_back(f[i]);
  prediction_offset_ = float_offset(std::move(sample));
}

MatrixF ScoreModel::with_predictions(MatrixF inputs, const RowPredictions& predicted) const {
  // The table is no longer needed in memory, and the data computed from its rows take as much. Small batches skip the lock.
  if (inputs.rows() >= 1 << 18) Spill::evict_all();
  if (!sees_prediction_) return inputs;
  MatrixF wider(inputs.rows(), inputs.cols() + n_prediction_inputs());
  wider.leftCols(inputs.cols()) = inputs;
  for (Index i = 0; i < wider.rows(); ++i) see(predicted[static_cast<std::size_t>(i)], wider.row(i).data() + inputs.cols());
  return wider;
}

Matrix ScoreModel::log_scales(const Matrix& g) const {
  return has_shape() ? Matrix(g.rightCols(n_log_scales())) : log_scales_of(*transform_, g, n_log_scales());
}

void ScoreModel::save(Archive archive) const {
  archive.put("transform", name_);
  archive.put("unit", unit_);
  score_scale_.save(archive);
  if (transform_->n_params() == 0) return;
  archive.put("sees_prediction", static_cast<std::int64_t>(sees_prediction_));
  if (min_half_width_ > 0) archive.put("least_half_width", min_half_width_);
  if (prediction_offset_ != 0) archive.put("prediction_offset", prediction_offset_);
  encoder_.save(archive.scope("localizer_encoder"));
  localization_.save(archive.scope("localization"));
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
  if (score.transform_->n_params() == 0) return score;
  score.sees_prediction_ = archive.integer_in("sees_prediction", 0, 1) == 1;
  if (archive.has("prediction_offset")) score.prediction_offset_ = archive.number("prediction_offset");
  if (!std::isfinite(score.prediction_offset_))
    throw Error("the model file's offset of predictions is not a finite number: it is damaged");
  score.encoder_ = Encoder::load(archive.scope("localizer_encoder"), schema);
  if (predicts_ends) {
    score.min_half_width_ = archive.number("least_half_width");
    if (!(score.min_half_width_ > 0) || !std::isfinite(score.min_half_width_))
      throw Error("the model file's minimum half-width makes no sense: it is damaged");
  }
  const Index inputs = score.encoder_.columns() + score.n_prediction_inputs();
  score.localization_ = Localization::load(archive.scope("localization"), *score.scale_, inputs);
  if (score.scale_ != score.transform_)
    score.shape_ = shapes().make(score.name_)->load(archive.scope(score.name_), inputs, score.sides());
  return score;
}

}  // namespace taut
