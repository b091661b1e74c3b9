#include <taut/model/score_model.hpp>

#include <taut/core/error.hpp>

#include <cmath>

namespace taut {

namespace {

double mean_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

}  // namespace

ScoreModel::ScoreModel() { set_transform("fixed"); }

ScoreModel::Fitted ScoreModel::fit(const TableView& x, std::span<const double> f, std::span<const double> y, const RowPlan& plan,
                                   const FitOptions& options, const ExecutionContext& context) {
  Fitted result;
  if (!options.adapts()) return result;
  const double mean_residual = mean_of(residuals(f, y).size);
  if (!(mean_residual > 0)) {
    result.fell_back = true;
    context.tell("every prediction is exact on the rows that would train the transformation: one width everywhere is kept");
    return result;
  }
  ScoreModel score;
  const auto localizer = localizers().make(options.localizer);
  score.sees_prediction_ = options.see_prediction == "yes" || (options.see_prediction == "auto" && localizer->likes_prediction());
  score.encoder_ = Encoder(localizer->sees_missing() ? Encoding::raw : Encoding::standardised, x, plan.transform);
  score.unit_ = mean_residual;
  const InputPool inputs = score.localizer_inputs(x, plan.transform, f, context.threads);
  const auto plans = localization_plans(options.localization(), options.transforms_in_force());
  auto [name, fitted] = choose_transform(plans, inputs, residuals(f, y, score.unit_), plan.parts, context);
  result.candidates = std::move(fitted.candidates);
  if (!fitted.records.empty()) result.first_member = fitted.records.front();
  result.fell_back = fitted.fell_back;
  if (fitted.fell_back) {
    context.tell("the trained transformation did not beat one width everywhere on validation rows: falling back to 'fixed'");
    return result;
  }
  score.set_transform(name);
  score.localization_ = std::move(fitted.localization);
  result.score = std::move(score);
  return result;
}

void ScoreModel::set_transform(const std::string& name) {
  transform_ = transforms().make(name);
  name_ = name;
}

RowScore ScoreModel::at(double f, const double* g) const {
  return {f, unit_, *transform_, g, g + (localization_.sides() == 2 ? transform_->n_params() : 0)};
}

Matrix ScoreModel::params(const TableView& x, RowsView rows, std::span<const double> f, int threads) const {
  if (transform_->n_params() == 0) return Matrix(static_cast<Index>(rows.size()), 0);
  return localization_.params(*transform_, localizer_inputs(x, rows, f, threads), threads);
}

Matrix ScoreModel::params_of_row(const double* cells, double f) const {
  if (transform_->n_params() == 0) return Matrix(1, 0);
  MatrixF inputs(1, encoder_.columns() + (sees_prediction_ ? 1 : 0));
  encoder_.encode_row(cells, inputs.data());
  if (sees_prediction_) inputs(0, inputs.cols() - 1) = static_cast<float>(f / unit_);
  return localization_.params(*transform_, inputs, 1);
}

MatrixF ScoreModel::localizer_inputs(const TableView& x, RowsView rows, std::span<const double> f, int threads) const {
  MatrixF inputs = encoder_.encode(x, rows, threads);
  if (!sees_prediction_) return inputs;
  MatrixF wider(inputs.rows(), inputs.cols() + 1);
  wider.leftCols(inputs.cols()) = inputs;
  for (Index i = 0; i < wider.rows(); ++i) wider(i, inputs.cols()) = static_cast<float>(f[static_cast<std::size_t>(i)] / unit_);
  return wider;
}

Matrix ScoreModel::log_scales(const Matrix& g) const {
  Matrix result(g.rows(), n_log_scales());
  for (Index row = 0; row < result.rows(); ++row)
    for (Index side = 0; side < result.cols(); ++side)
      result(row, side) = transform_->log_scale(g.row(row).data() + side * transform_->n_params());
  return result;
}

void ScoreModel::save(Archive archive) const {
  archive.put("transform", name_);
  archive.put("unit", unit_);
  if (transform_->n_params() == 0) return;
  archive.put("sees_prediction", static_cast<std::int64_t>(sees_prediction_));
  encoder_.save(archive.scope("localizer_encoder"));
  localization_.save(archive.scope("localization"));
}

ScoreModel ScoreModel::load(const Archive& archive, const std::vector<Column>& schema) {
  ScoreModel score;
  score.set_transform(archive.text("transform"));
  score.unit_ = archive.number("unit");
  if (!(score.unit_ > 0) || !std::isfinite(score.unit_))
    throw Error("the model file's unit of residuals makes no sense: it is damaged");
  if (score.transform_->n_params() == 0) return score;
  score.sees_prediction_ = archive.integer_in("sees_prediction", 0, 1) == 1;
  score.encoder_ = Encoder::load(archive.scope("localizer_encoder"), schema);
  const Index inputs = score.encoder_.columns() + (score.sees_prediction_ ? 1 : 0);
  score.localization_ = Localization::load(archive.scope("localization"), *score.transform_, inputs);
  return score;
}

}  // namespace taut
