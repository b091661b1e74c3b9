// The story of a fit, in the paper's order: split → f → out-of-sample scores → train g → calibrate → intervals.
#include <taut/model/model.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/row_score.hpp>
#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/kinds.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/train/level_names.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

void refuse_constant(std::span<const double> y, const TableView& table, const std::string& target) {
  if (y.empty() || std::any_of(y.begin(), y.end(), [&](double value) { return value != y.front(); })) return;
  throw Error(table.source() + ": the target '" + target + "' is " + print_number(y.front()) +
              " in every row that trains: there is nothing to predict");
}

std::vector<double> picked(std::span<const double> values, RowsView rows) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const Index row : rows) result.push_back(values[static_cast<std::size_t>(row)]);
  return result;
}

double mean_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

}  // namespace

Model Model::fit(const TableView& table, const FitOptions& options, const ExecutionContext& context,
                 const std::optional<TableView>& calibration) {
  options.check();
  Model model;
  model.options_ = options;
  const TableView inputs = table.matched(input_columns(table, options));
  const bool adapts = options.adapts();
  const bool crosses = adapts && localizers().make(options.localizer)->likes_folds();
  const RowPlan plan = plan_rows(table.rows(), options, crosses, calibration.has_value(), table.source());

  model.schema_ = choose_kinds(inputs, plan.choosing());
  const TableView x = inputs.matched(model.schema_);
  model.range_ = possible_targets(options, numbers_of(table, options.target, plan.choosing(), "target"));
  const auto y = model.target_of(table, all_rows(table));
  const auto choosing_y = picked(y, plan.choosing());
  refuse_constant(choosing_y, table, options.target);
  if (const auto hint = range_hint(choosing_y, options); !hint.empty()) context.tell(hint);
  if (const auto hint = level_hint(options.objective); !hint.empty()) context.tell(hint);

  std::vector<double> f;  // out-of-sample predictions on plan.transform
  if (options.prediction.empty()) {
    PredictorSettings settings{static_cast<std::uint64_t>(options.seed), options.knn_rows, options.effort};
    model.predictor_ = PointPredictor(options.predictor, x, y, plan.predictor, plan.folds, settings, context, &f);
  }
  if (plan.folds.empty()) f = model.predict(table, x, plan.transform, context.threads);

  return_free_memory();

  model.record_.source = table.source();
  model.record_.rows = table.rows();
  model.record_.predictor_rows = static_cast<Index>(plan.predictor.size());
  model.set_transform("fixed");
  if (adapts) model.fit_transform(x, f, picked(y, plan.transform), plan, context);
  const Rows trained = plan.choosing();
  model.seen_rows_.train(row_hashes(x, picked(y, trained), trained, context.threads));
  if (!calibration)
    model.calibrate_on(table, x, plan.calibration, context);
  else if (calibration->rows() > 0)
    for (const Alarm& alarm : model.calibrate(*calibration, context)) context.tell(alarm.words);
  return model;
}

void Model::fit_transform(const TableView& x, const std::vector<double>& f, const std::vector<double>& y, const RowPlan& plan,
                          const ExecutionContext& context) {
  record_.transform_rows = plan.transform_training_rows();
  record_.validation_rows = plan.validation_rows();
  const auto localizer = localizers().make(options_.localizer);
  sees_prediction_ = options_.see_prediction == "yes" || (options_.see_prediction == "auto" && localizer->likes_prediction());
  localizer_encoder_ = Encoder(localizer->sees_missing() ? Encoding::raw : Encoding::standardised, x, plan.transform);
  const double mean_residual = mean_of(residuals(f, y).size);
  if (!(mean_residual > 0)) {
    record_.fell_back = true;
    context.tell("every prediction is exact on the rows that would train the transformation: one width everywhere is kept");
    return;
  }
  unit_ = mean_residual;
  const InputPool inputs = localizer_inputs(x, plan.transform, f, context.threads);
  const auto plans = localization_plans(options_.localization(), options_.transforms_in_force());
  auto [name, fitted] = choose_transform(plans, inputs, residuals(f, y, unit_), plan.parts, context);
  set_transform(name);
  localization_ = std::move(fitted.localization);
  record_.candidates = std::move(fitted.candidates);
  record_.fell_back = fitted.fell_back;
  if (!fitted.records.empty()) {
    record_.validation_curve = fitted.records.front().curve;
    record_.best_epoch = fitted.records.front().best_epoch;
  }
  if (!fitted.fell_back) return;
  context.tell("the trained transformation did not beat one width everywhere on validation rows: falling back to 'fixed'");
  unit_ = 1;
  set_transform("fixed");
}

std::vector<Alarm> Model::calibrate(const TableView& table, const ExecutionContext& context) {
  const TableView x = inputs_of(table);
  const Rows rows = all_rows(table);
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  const auto seen = seen_rows_.when_calibrating(row_hashes(x, target_of(table, rows), rows, context.threads));
  alarms.insert(alarms.end(), seen.begin(), seen.end());
  calibrate_on(table, x, rows, context);
  return alarms;
}

void Model::calibrate_on(const TableView& table, const TableView& x, RowsView rows, const ExecutionContext& context) {
  if (rows.empty()) throw Error(table.source() + ": there are no rows to calibrate on");
  const auto y = target_of(table, rows);
  const auto f = predict(table, x, rows, context.threads);
  const Matrix g = params(x, rows, f, context.threads);
  std::vector<double> scores(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) scores[i] = row_score(f[i], g.row(static_cast<Index>(i)).data())(y[i]);
  calibrator_ = Calibrator(std::move(scores));
  calibration_inputs_ = InputSummary(x, rows, made_of_rows(f, g), context.threads);
  seen_rows_.calibrate(row_hashes(x, y, rows, context.threads));
}

std::vector<double> Model::predict(const TableView& table, const ExecutionContext& context) const {
  return predict(table, inputs_of(table), all_rows(table), context.threads);
}

Predicted Model::predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                  std::optional<std::uint64_t> smoothing, Index first_row) const {
  std::vector<double> quantiles;
  for (const double level : levels) quantiles.push_back(calibrator_.quantile(level));

  const Rows rows = all_rows(table);
  const TableView x = inputs_of(table);
  Predicted result{predict(table, x, rows, context.threads),
                   {levels.begin(), levels.end()},
                   std::vector<Interval>(rows.size() * levels.size())};
  const Matrix g = params(x, rows, result.prediction, context.threads);
  constexpr Index block = 1 << 12;
  parallel_blocks(table.rows(), block, context.threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const double f = result.prediction[static_cast<std::size_t>(row)];
      // One draw a row, whatever the level, keeps smoothed intervals nested.
      const double uniform = smoothing ? Random(*smoothing).fork(static_cast<std::uint64_t>(first_row + row)).uniform() : 0;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto q = smoothing ? calibrator_.smoothed_quantile(levels[level], uniform) : std::optional(quantiles[level]);
        result.intervals[static_cast<std::size_t>(row) * levels.size() + level] =
            q ? row_score(f, g.row(row).data()).at_most(*q, range_) : Interval{infinity, -infinity};
      }
    }
  });
  return result;
}

double Model::predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const {
  const bool given = !options_.prediction.empty();
  const std::size_t cells = schema_.size() + (given ? 1 : 0);
  if (row.size() != cells || out.size() != levels.size())
    throw UsageError("predict_row: expected " + std::to_string(cells) + " cells and one interval for each level");
  for (std::size_t i = 0; i < schema_.size(); ++i)
    if (schema_[i].is_categorical && !is_code(schema_[i], row[i]))
      throw Error("predict_row: the column '" + schema_[i].name + "' has no category with the code " + print_number(row[i]) +
                  "; allowed are 0 to " + print_number(schema_[i].other_code()) + ", the last for any other value, and NaN");
  const double f = given ? row.back() : predictor_.predict_row(row.data());
  if (!std::isfinite(f)) throw Error("predict_row: the prediction is " + print_number(f) + "; expected is a finite number");
  Matrix g(1, 0);
  if (transform_->n_params() > 0) {
    MatrixF inputs(1, localizer_encoder_.columns() + (sees_prediction_ ? 1 : 0));
    localizer_encoder_.encode_row(row.data(), inputs.data());
    if (sees_prediction_) inputs(0, inputs.cols() - 1) = static_cast<float>(f / unit_);
    g = localization_.params(*transform_, inputs, 1);
  }
  for (std::size_t level = 0; level < levels.size(); ++level)
    out[level] = row_score(f, g.data()).at_most(calibrator_.quantile(levels[level]), range_);
  return f;
}

RowScore Model::row_score(double f, const double* g) const {
  return {f, unit_, *transform_, g, g + (localization_.sides() == 2 ? transform_->n_params() : 0)};
}

void Model::set_transform(const std::string& name) {
  transform_ = transforms().make(name);
  transform_name_ = name;
}

TableView Model::inputs_of(const TableView& table) const { return table.matched(schema_); }

std::vector<double> Model::target_of(const TableView& table, RowsView rows) const {
  return targets_of(table, options_.target, rows, range_);
}

std::vector<double> Model::given_predictions(const TableView& table, RowsView rows) const {
  return numbers_of(table, options_.prediction, rows, "prediction");
}

std::vector<double> Model::predict(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  return options_.prediction.empty() ? predictor_.predict(x, rows, threads) : given_predictions(table, rows);
}

MatrixF Model::localizer_inputs(const TableView& x, RowsView rows, std::span<const double> f, int threads) const {
  MatrixF inputs = localizer_encoder_.encode(x, rows, threads);
  if (!sees_prediction_) return inputs;
  MatrixF wider(inputs.rows(), inputs.cols() + 1);
  wider.leftCols(inputs.cols()) = inputs;
  for (Index i = 0; i < wider.rows(); ++i) wider(i, inputs.cols()) = static_cast<float>(f[static_cast<std::size_t>(i)] / unit_);
  return wider;
}

Matrix Model::params(const TableView& x, RowsView rows, std::span<const double> f, int threads) const {
  if (transform_->n_params() == 0) return Matrix(static_cast<Index>(rows.size()), 0);
  return localization_.params(*transform_, localizer_inputs(x, rows, f, threads), threads);
}

}  // namespace taut
