#include <taut/fit/score_model.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/fit/choose_score_scale.hpp>
#include <taut/fit/score_training.hpp>
#include <taut/predict/training_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace taut {

namespace {

// The minimum of predicted half-widths, as a share of their mean.
constexpr double min_share = 1e-3;

// Log-odds of training rows are limited, so that a few rows far outside of their given distributions do not outweigh all others.
constexpr double max_log_odds = 100;
constexpr double smallest_unit = std::numeric_limits<double>::min();

double mean_of(std::span<const double> values, RowWeights weights) {
  const double all = total_weight(weights, std::ssize(values));
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weight_of(weights, static_cast<Index>(i)) * (values[i] / all);
  return mean;
}

double mean_half_width(const RowPredictions& predicted, RowWeights weights) {
  std::vector<double> half_widths;
  for (std::size_t i = 0; i < predicted.size(); ++i) half_widths.push_back(predicted[i].half_width());
  return mean_of(half_widths, weights);
}

// Where predictors disagree, f is uncertain, and residuals may be large. A disagreement far below the residuals cannot explain
// them, and would be one more input of noise.
bool tells_residuals(const RowPredictions& predicted, std::span<const double> y, RowWeights weights,
                     std::span<const double> exposure) {
  constexpr double min_ratio = 0.1;
  if (!predicted.has_disagreement()) return false;
  std::vector<double> own_y(y.begin(), y.end());
  for (std::size_t i = 0; i < exposure.size(); ++i) own_y[i] /= exposure[i];  // f is a rate
  return mean_of(predicted.disagreement(), weights) >= min_ratio * mean_of(residuals(predicted.f(), own_y).size, weights);
}

// Not for given predictions, which may be right far from the training rows; not where both ends have to follow a column; not in
// the order of time, where streams follow what changes.
bool widens_beyond_training(const RowPredictions& predicted, const FitOptions& options) {
  return !options.has_f() && !predicted.has_ends() && !predicted.has_quantiles() && !options.is_monotone() &&
         !options.is_in_order();
}

// A scale of 1 everywhere.
Localization untrained(const std::string& localizer, std::size_t members) {
  Localization result(localizer, 1);
  result.members().resize(members);
  return result;
}

}  // namespace

ScoreModel::ScoreModel() { set_transform("fixed"); }

// A learned scale that cannot be learned from these rows is as-is.
ScoreScale ScoreModel::TrainingData::scale_named(const std::string& name) const {
  if (name != ScoreScale::name_of_learned()) return {name, y};
  auto learned = LearnedScale::of(predicted.f(), y, weights);
  return learned ? ScoreScale(*std::move(learned)) : ScoreScale();
}

ScoreModel::Fitted ScoreModel::fit(const TableView& x, const RowPredictions& predicted, std::span<const double> y,
                                   const RowPlan& plan, const FitOptions& options, const ExecutionContext& context,
                                   RowWeights weights, std::span<const double> exposure, bool keeps_held_out) {
  if (predicted.has_quantiles()) {
    RowPredictions held = predicted;
    if (const auto limits = limits_of_distributions(y, options); limits.exist()) held.hold_quantiles(limits.low(), limits.high());
    return fit_distribution({x, held, y, plan, options, context, weights, exposure, true});
  }
  const auto scales = score_scales_to_try(options, y, weights);
  const bool compares = scales.size() > 1 && plan.validation_rows() > 0;
  const TrainingData data{x, predicted, y, plan, options, context, weights, exposure, compares || keeps_held_out};
  Fitted as_is = fit_on(data.scale_named(scales.front()), false, data);
  std::optional<Fitted> best;
  if (compares) {
    const auto loss_on = [&](const Rows& rows, const Fitted& fitted) {
      return ScaleLoss(held_out_scores(fitted, rows, predicted), pick(y, rows), options, pick_weights(weights, rows));
    };
    const bool is_exact = !std::isfinite(loss_on(as_is.held_out_rows, as_is).loss());  // widths of 0 that cover: none is better
    double largest_gain = 0;
    for (std::size_t i = 1; i < scales.size() && !is_exact; ++i) {
      const Traced traced("try a scale of the score", [&] { return scales[i]; });
      const ScoreScale scale = data.scale_named(scales[i]);
      if (scale.is_identity()) continue;
      Fitted other = fit_on(scale, false, data);
      const Rows rows = shared_rows(as_is.held_out_rows, other);
      const ScaleLoss loss = loss_on(rows, other), before = loss_on(rows, as_is);
      if (!loss.is_clearly_lower_than(before) || !(before.loss() - loss.loss() > largest_gain)) continue;
      largest_gain = before.loss() - loss.loss();
      best = std::move(other);
    }
  }
  Fitted kept = best ? *std::move(best) : std::move(as_is);
  if (!kept.message.empty()) context.tell_detail(kept.message);
  return kept;
}

ScoreModel::Fitted ScoreModel::fit_on(const ScoreScale& scale, bool of_probability, const TrainingData& data) {
  const auto& [x, predicted, y, plan, options, context, weights, exposure, keeps_held_out] = data;
  Fitted result;
  result.score = fixed_on(scale, of_probability, data);
  if (keeps_held_out) {
    result.held_out.resize(plan.validation_rows(), 0);
    result.held_out_rows = data.validation_rows();
  }
  if (!options.adapts()) return result;
  std::vector<double> own_f, own_z;  // no copies of long columns if scores measure the target as it is
  if (of_probability) {
    own_f.assign(y.size(), 0);
    for (std::size_t i = 0; i < y.size(); ++i)
      own_z.push_back(std::clamp(result.score.scale_of_distribution(predicted[i]).forward(y[i]), -max_log_odds, max_log_odds));
  } else if (!scale.is_identity()) {
    own_f = scale.centres(predicted.f());
    own_z = scale.forward(y);
  }
  for (std::size_t i = 0; i < exposure.size(); ++i) {  // (y − e f)/√e
    const double root = std::sqrt(exposure[i]);
    own_f.push_back(predicted[i].f * root);
    own_z.push_back(y[i] / root);
  }
  const bool is_as_is = !of_probability && scale.is_identity() && exposure.empty();
  const std::span<const double> f = is_as_is ? predicted.f() : own_f, z = is_as_is ? y : own_z;
  const double mean_residual = mean_of(residuals(f, z).size, weights);
  if (!(mean_residual > 0)) {
    result.fell_back = true;
    result.message = "every prediction is exact on the rows that would train the transformation: one width everywhere is kept";
    return result;
  }
  ScoreModel score = result.score;
  const auto localizer = localizers().make(options.localizer);
  // Ends keep the order of f if the width depends neither on a monotone column nor on f.
  InputDirections directions = options.directions_of(x.columns());
  std::replace_if(directions.begin(), directions.end(), is_monotone, Direction::unused);
  score.sees_prediction_ = directions.empty() && (options.see_prediction == "yes" ||
                                                  (options.see_prediction == "auto" && localizer->uses_prediction_by_default()));
  const Encoding encoding = localizer->accepts_missing() ? Encoding::raw : Encoding::standardised;
  score.sees_disagreement_ = score.sees_prediction_ && tells_residuals(predicted, y, weights, exposure);
  score.unit_ = mean_residual;
  if (of_probability) score.prediction_unit_ = std::max(mean_of(residuals(predicted.f(), y).size, weights), smallest_unit);
  if (predicted.has_ends() || predicted.has_quantiles()) {
    const double mean = mean_half_width(predicted, weights);
    score.min_half_width_ = mean > 0 ? min_share * mean : of_probability ? score.prediction_unit_ : mean_residual;
  }
  Residuals scaled = residuals(f, z, score.unit_);
  scaled.weight.assign(weights.begin(), weights.end());
  const TrainingInputs training_inputs(encoding, x, plan.transform, scaled.size, plan.parts, /*with_counts=*/true, weights);
  score.encoder_ = training_inputs.encoder();
  score.sees_exposure_ = !exposure.empty();
  const bool sees_own_f = of_probability || !exposure.empty();
  if (score.sees_prediction_) score.learn_prediction_offset(sees_own_f ? std::span<const double>(predicted.f()) : f);
  const InputPool inputs = [&] {
    const Traced traced("encode", [] { return std::string("inputs of g"); });
    MatrixF of_columns = training_inputs.shared(data.context.threads);
    if (widens_beyond_training(data.predicted, data.options))
      score.beyond_training_ = {of_columns, score.encoder_, data.x.columns(), z, data.weights, score.unit_};
    return InputPool(score.with_predictions(std::move(of_columns), data.predicted, data.exposure), scaled.weight);
  }();
  return_free_memory();
  LocalizationOptions of_g = options.localization();
  of_g.training.localizer.directions = score.encoder_.directions_of_inputs(directions);
  const auto plans = localization_plans(of_g, options.transforms_in_force());
  scaled.half_width = score.starts(predicted);
  auto [name, fitted] = choose_transform(plans, inputs, scaled, plan.parts, context);
  result.candidates = std::move(fitted.candidates);
  if (!fitted.records.empty()) result.first_member = fitted.records.front();
  score.set_transform(name);
  score.localization_ = fitted.fell_back ? untrained(options.localizer, plan.parts.size()) : std::move(fitted.localization);
  // With predicted ends, `fixed` measures from the ends, so no scale is equivalent to it.
  const bool has_scale = !fitted.fell_back || !score.starts_from_ends();
  if (options.tries_shape() && has_scale) score.add_shape(inputs, scaled, data, of_g.training.localizer.directions, result);
  result.fell_back = fitted.fell_back && !score.has_shape();
  if (result.fell_back) {
    result.message = "the trained transformation did not beat one width everywhere on validation rows: falling back to 'fixed'";
    return result;
  }
  if (keeps_held_out && !score.has_shape()) result.held_out = score.held_out_params(inputs, plan.parts, context.threads);
  if (keeps_held_out) score.add_factor(result.held_out);
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

void ScoreModel::add_shape(const InputPool& inputs, const Residuals& scaled, const TrainingData& data,
                           const InputDirections& directions, Fitted& result) {
  const FitOptions& options = data.options;
  auto& candidates = result.candidates;
  const auto seed = static_cast<std::uint64_t>(options.seed);
  auto fitted = shapes()
                    .make(options.transform)
                    ->fit(localization_, *scale_, inputs, scaled, data.plan.parts, seed, data.context, directions);
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
  if (data.keeps_held_out) {
    result.held_out = std::move(fitted.held_out);
    result.held_out_rows = std::move(fitted.held_out_rows);
  }
  set_transform(options.transform);
}

// With an exposure e, the rate f becomes e f and the unit √e times the unit: the score is computed in units of y.
RowScore ScoreModel::at(const RowPrediction& predicted, const double* g, double exposure) const {
  const Index params = transform_->n_params();
  const RowScale scale = is_of_probability_ ? RowScale(scale_of_distribution(predicted)) : RowScale(score_scale_);
  const double f = is_of_probability_ ? 0 : score_scale_.centre(predicted.f) * exposure, unit = unit_ * std::sqrt(exposure);
  const double wide = beyond_training_.empty() ? unit : unit * g[n_params_of_sides()];
  if (has_shape()) {
    const double shift = g[2 * params];
    return {RowPrediction(f + unit * shift), wide, *transform_, g, g + params, predicted.f * exposure, scale};
  }
  const double* const above = g + (sides() == 2 ? params : 0);
  if (scale.is_identity() && levels_ && params == 0)
    return {RowPrediction(predicted.lower, predicted.upper), unit_, *transform_, g, above, predicted.f};
  if (scale.is_identity()) return {params > 0 || exposure != 1 ? RowPrediction(f) : predicted, wide, *transform_, g, above};
  return {RowPrediction(f), wide, *transform_, g, above, predicted.f, scale};
}

RowPredictions ScoreModel::limited(RowPredictions predicted) const {
  if (predicted.has_quantiles() && limits_.exist()) predicted.hold_quantiles(limits_.low(), limits_.high());
  return predicted;
}

RowPrediction ScoreModel::prediction_of(std::span<const double> numbers) const {
  if (levels_) return {*levels_, numbers};
  return numbers.size() == 2 ? RowPrediction(numbers[0], numbers[1]) : RowPrediction(numbers[0]);
}

Index ScoreModel::n_params_of_sides() const {
  const Index params = transform_->n_params();
  return has_shape() ? 2 * params + 1 : params * std::max(1, sides());
}

Index ScoreModel::n_params_of_row() const { return n_params_of_sides() + (beyond_training_.empty() ? 0 : 1); }

void ScoreModel::add_factor(Matrix& held_out) const {
  if (beyond_training_.empty() || held_out.size() == 0) return;
  held_out.conservativeResize(held_out.rows(), n_params_of_row());
  held_out.rightCols(1).setOnes();
}

double ScoreModel::start_of(const RowPrediction& predicted) const { return half_width_of(predicted) / unit_; }

std::vector<double> ScoreModel::starts(const RowPredictions& predicted) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < predicted.size() && starts_from_ends(); ++i) result.push_back(start_of(predicted[i]));
  return result;
}

Matrix ScoreModel::params(const TableView& x, RowsView rows, const RowPredictions& predicted, int threads,
                          std::span<const double> exposure) const {
  if (transform_->n_params() == 0) return Matrix(static_cast<Index>(rows.size()), 0);
  const MatrixF inputs = with_predictions(encoder_.encode(x, rows, threads), predicted, exposure);
  return params_of_inputs(inputs, starts(predicted), threads);
}

Matrix ScoreModel::params_of_inputs(const MatrixF& inputs, std::span<const double> starts, int threads) const {
  Matrix g = localization_.params(*scale_, inputs, starts, threads);
  if (!has_shape() && beyond_training_.empty()) return g;
  const Matrix scales = n_log_scales() > 0 ? log_scales_of(*scale_, g, sides()) : Matrix(g.rows(), 0);
  Matrix factors(g.rows(), beyond_training_.empty() ? 0 : 1);
  for (Index i = 0; i < factors.size(); ++i) {
    const double growth = beyond_training_.of(inputs.row(i).data()).of_scale;
    factors(i, 0) = 1;
    if (growth == 0) continue;
    const double scale = scales.cols() == 0 ? 1 : (std::exp(scales(i, 0)) + std::exp(scales(i, scales.cols() - 1))) / 2;
    factors(i, 0) += growth / scale;
  }
  const Matrix of_sides = has_shape() ? shape_->params(inputs, scales, threads) : g;
  Matrix all(g.rows(), of_sides.cols() + factors.cols() + (has_shape() ? scales.cols() : 0));
  all << of_sides, factors, scales.leftCols(has_shape() ? scales.cols() : 0);
  return all;
}

Matrix ScoreModel::params_of_encoded(MatrixF encoded, const RowPredictions& predicted, int threads) const {
  return params_of_inputs(with_predictions(std::move(encoded), predicted, {}), starts(predicted), threads);
}

Matrix ScoreModel::params_of_row(const double* cells, const RowPrediction& predicted, double exposure) const {
  if (transform_->n_params() == 0) return Matrix(1, 0);
  MatrixF inputs(1, encoder_.columns() + n_prediction_inputs());
  encoder_.encode_row(cells, inputs.data());
  see(predicted, exposure, inputs.data() + encoder_.columns());
  const double start = start_of(predicted);
  return params_of_inputs(inputs, {&start, starts_from_ends() ? 1U : 0U}, 1);
}

void ScoreModel::see(const RowPrediction& predicted, double exposure, float* out) const {
  const double f = is_of_probability_ ? predicted.f : score_scale_.centre(predicted.f);
  const double unit = is_of_probability_ ? prediction_unit_ : unit_;
  if (sees_prediction_) *out++ = to_float((f - prediction_offset_) / unit);
  if (sees_ends()) *out++ = static_cast<float>(std::log(half_width_of(predicted) / unit));
  if (sees_ends() && levels_) {
    // The skew: from −1, where all of the distance between the ends is below the median, to 1.
    const double below = predicted.f - predicted.lower, above = predicted.upper - predicted.f;
    const double skew = (above - below) / (above + below);
    *out++ = static_cast<float>(std::isfinite(skew) ? skew : 0);
  }
  if (sees_exposure_) *out++ = static_cast<float>(std::log(exposure));
  if (sees_disagreement_) *out = static_cast<float>(std::log(std::max(predicted.disagreement / unit_, min_disagreement)));
}

// Without an offset, values of f that are large and nearly equal would be rounded to the same float.
void ScoreModel::learn_prediction_offset(std::span<const double> f) {
  const std::size_t step = std::max<std::size_t>(1, f.size() / static_cast<std::size_t>(float_offset_sample));
  std::vector<double> sample;
  for (std::size_t i = 0; i < f.size(); i += step) sample.push_back(f[i]);
  prediction_offset_ = float_offset(std::move(sample));
}

MatrixF ScoreModel::with_predictions(MatrixF inputs, const RowPredictions& predicted, std::span<const double> exposure) const {
  // The table is no longer needed in memory, and the data computed from its rows take as much. Small batches skip the lock.
  if (inputs.rows() >= 1 << 18) Spill::evict_all();
  if (n_prediction_inputs() == 0) return inputs;
  MatrixF wider(inputs.rows(), inputs.cols() + n_prediction_inputs());
  wider.leftCols(inputs.cols()) = inputs;
  for (Index i = 0; i < wider.rows(); ++i)
    see(predicted[static_cast<std::size_t>(i)], exposure.empty() ? 1 : exposure[static_cast<std::size_t>(i)],
        wider.row(i).data() + inputs.cols());
  return wider;
}

Eigen::VectorXd ScoreModel::factors_of(const Matrix& g) const {
  return beyond_training_.empty() ? Eigen::VectorXd::Ones(g.rows()) : Eigen::VectorXd(g.col(n_params_of_sides()));
}

Matrix ScoreModel::log_scales(const Matrix& g) const {
  Matrix scales = has_shape() ? Matrix(g.rightCols(n_log_scales())) : log_scales_of(*transform_, g, n_log_scales());
  if (!beyond_training_.empty()) scales.colwise() += factors_of(g).array().log().matrix();
  return scales;
}

}  // namespace taut
