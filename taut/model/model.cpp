// The story of a fit, in the paper's order: split → f → out-of-sample scores → train g → calibrate.
#include <taut/model/model.hpp>

#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/trace.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/enough_memory.hpp>
#include <taut/model/enough_rows.hpp>
#include <taut/model/fit_parts.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/model/held_out.hpp>
#include <taut/model/past_inputs.hpp>
#include <taut/model/repeated_rows.hpp>
#include <taut/model/row_hash.hpp>
#include <taut/model/time_column.hpp>

#include <algorithm>

namespace taut {

namespace {

// Given predictions are out of sample by themselves: the user's model has not seen these rows.
PointPredictor::Fitted point_predictions(const FitRows& rows, const RowPlan& plan, const FitOptions& options,
                                         const ForeignModel* foreign, const std::vector<std::string>& foreign_columns,
                                         const ExecutionContext& context) {
  if (foreign != nullptr) {
    PointPredictor predictor(ImportedPredictor(*foreign, foreign_columns, rows.schema));
    RowPredictions predicted = predictor.predict(rows.x, plan.transform, context.threads);
    return {std::move(predictor), std::move(predicted), {}};
  }
  if (!options.has_given_predictions()) return PointPredictor::fit(rows.x, rows.y, plan, options, context);
  return {{}, predictions_of(rows.table, options, plan.transform), {}};
}

RowPlan plan_of(const TableView& table, const Rows& usable, const FitOptions& options, bool calibration_elsewhere) {
  const bool crosses = options.localizer_crosses();
  if (options.keep_together.empty())
    return plan_rows(std::ssize(usable), options, crosses, calibration_elsewhere, table.source());
  require_ids(table, options.keep_together, usable);
  const Matrix none;
  const GroupedRows rows{table, table, usable, none};
  GroupColumns together({options.keep_together}, "--keep-together", rows, {}, rows);
  together.find_groups(rows);
  return plan_groups(together.groups_of(rows), options, crosses, calibration_elsewhere, table.source());
}

CalibrationOptions calibration_of(const FitOptions& options) {
  CalibrationOptions how;
  how.by = options.by;
  how.other_groups = options.other_groups;
  how.keep_together = options.keep_together;
  how.sure = options.sure;
  return how;
}

FitRecord record_of(const TableView& table, const RowPlan& plan, const ScoreModel::Fitted& g) {
  FitRecord record;
  record.source = table.source();
  record.rows = table.rows();
  record.predictor_rows = std::ssize(plan.predictor);
  record.fell_back = g.fell_back;
  record.candidates = g.candidates;
  record.validation_curve = g.first_member.curve;
  record.best_epoch = g.first_member.best_epoch;
  return record;
}

// Inputs made from the rows before become columns of the table; the last rows are remembered for those that will come.
PastInputs add_past(TableView& table, const Column& time, const FitOptions& options, const RowPlan& plan) {
  if (!options.has_past()) return {};
  PastInputs past(table, options, plan.choosing());
  const Rows order = order_of_time(table, time);
  refuse_repeated_times(table, time, order);
  const Matrix cells = past.cells(table);
  table = past.extended(table, order);
  past.remember(cells, order);
  return past;
}

}  // namespace

std::unique_ptr<ModelParts> fit_parts(const TableView& table, const FitOptions& options, const RowPlan& plan,
                                      const ExecutionContext& context, const ForeignModel* foreign) {
  std::vector<std::string> foreign_columns;
  const FitRows rows = fit_rows(table, options, plan, context, foreign, &foreign_columns);
  auto [predictor, predicted, stack] = point_predictions(rows, plan, options, foreign, foreign_columns, context);
  return_free_memory();
  auto g = ScoreModel::fit(rows.x, predicted, rows.targets(plan.transform), plan, options, context);

  auto parts = std::make_unique<ModelParts>();
  parts->options = options;
  parts->sure = options.sure;
  parts->record = record_of(table, plan, g);
  parts->record.columns = rows.notes;
  parts->record.stack = std::move(stack);
  if (options.adapts()) {
    parts->record.transform_rows = plan.transform_training_rows();
    parts->record.validation_rows = plan.validation_rows();
  }
  parts->schema = rows.schema;
  parts->target = rows.target;
  parts->predictor = std::move(predictor);
  parts->score = std::move(g.score);
  parts->range = rows.range;
  const Traced traced("remember rows");
  const Rows trained = plan.choosing();
  parts->seen_rows.train(row_hashes(rows.x, rows.targets(trained), trained, context.threads));
  return parts;
}

Model Model::fit(const TableView& given, const FitOptions& options, const ExecutionContext& context,
                 const std::optional<TableView>& calibration) {
  if (is_imported(options)) throw UsageError("the predictor 'imported' is a model of another library: --model FILE names it");
  return fit_around(given, options, nullptr, context, calibration);
}

Model Model::fit(const TableView& given, const FitOptions& options, const ForeignModel& foreign, const ExecutionContext& context,
                 const std::optional<TableView>& calibration) {
  FitOptions own = options;
  if (own.has_given_predictions())
    throw UsageError("--model and --prediction exclude each other: both say what f is; give one of them");
  if (own.predictor != FitOptions{}.predictor && !is_imported(own))
    throw UsageError("--model and --predictor exclude each other: with a model of your own nothing is trained; give one of them");
  own.predictor = name_of_imported;
  return fit_around(given, own, &foreign, context, calibration);
}

const ForeignModel* Model::imported() const {
  const ImportedPredictor* imported = parts_->predictor.imported();
  return imported != nullptr ? &imported->model() : nullptr;
}

Model Model::fit_around(const TableView& given, const FitOptions& options, const ForeignModel* foreign,
                        const ExecutionContext& context, const std::optional<TableView>& calibration) {
  options.check();
  TableView table = given.with_missing(options.na);
  table.require(options.target);  // a wrong name is said before anything else
  Rows usable = usable_rows(table, options);
  Column time;
  double latest = -infinity;
  if (!options.order_by.empty()) {
    if (!find_column(table.columns(), options.order_by))
      throw Error("--order-by: " + missing_column(table.source(), options.order_by, table.names()));
    time = time_column(table, options.order_by, usable);
    latest = sort_by_time(table, time, usable, context);
  }
  if (!options.keep_together.empty()) table.require(options.keep_together);
  const bool holds_out = options.holds_out();
  if (holds_out) check_held_out(options, std::ssize(usable), calibration.has_value(), table.source());
  const Index n_usable = std::ssize(usable);
  usable = enough_rows(std::move(usable), options, context);
  check_memory(std::ssize(usable), std::ssize(table.columns()), available_bytes(), table.source(), context);
  RowPlan plan = plan_of(table, usable, options, calibration.has_value() || holds_out);
  plan.place(usable);
  if (!holds_out) Rows().swap(usable);  // of very many rows the list takes a tenth of the memory
  PastInputs past = add_past(table, time, options, plan);

  Model model(fit_parts(table, options, plan, context, foreign));
  model.parts_->time = std::move(time);
  model.parts_->latest = latest;
  model.parts_->past = std::move(past);
  model.parts_->record.skipped_rows = table.rows() - n_usable;
  const auto raise = [&](std::vector<Alarm> alarms) {
    for (Alarm& alarm : alarms) model.parts_->alarms_of_fit.push_back(std::move(alarm));
  };
  const auto known = [&](const TableView& of, Rows rows) {
    auto y = targets_of(of, model.parts_->target, rows, model.parts_->range);
    return KnownRows{model.parts_->inputs_of(of), std::move(rows), std::move(y)};
  };
  if (holds_out) {
    model.parts_->held_out = fit_held_out(table, usable, options, *model.parts_, context);
    Found found;
    for (const auto& part : model.parts_->held_out) found += part->seen_rows.calibration_in_training();
    if (may_repeat(found)) {
      const KnownRows all = known(table, usable);
      raise(alarms_of_repeated(found, all, all, true));
    }
    return model;
  }
  const Rows trained = plan.choosing();
  {
    const Traced traced("remember rows");
    model.parts_->remember(table, trained, context.threads);
  }
  return_free_memory();
  const CalibrationOptions how = calibration_of(options);
  if (!calibration)
    raise(model.parts_->calibrate(table, plan.calibration, how, trained, context));
  else if (calibration->rows() > 0)
    raise(model.calibrate(*calibration, context, how));
  const auto is_seen = [](const Alarm& alarm) { return alarm.kind == AlarmKind::training_rows; };
  const auto& raised = model.parts_->alarms_of_fit;
  const Found& found = model.parts_->seen_rows.calibration_in_training();
  // Calibration rows of another file that trained are said already. Those with inputs from the past begin anew.
  if (may_repeat(found) && (!calibration || !options.has_past()) && std::none_of(raised.begin(), raised.end(), is_seen)) {
    const TableView of = calibration ? calibration->with_missing(options.na) : table;
    raise(alarms_of_repeated(found, known(table, trained), known(of, calibration ? usable_rows(of, options) : plan.calibration)));
  }
  return model;
}

Model::Model(std::unique_ptr<ModelParts> parts) : parts_(std::move(parts)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const FitOptions& Model::options() const { return parts_->options; }
const FitRecord& Model::record() const { return parts_->record; }
const Column& Model::target() const { return parts_->target; }
const Law& Model::law() const { return parts_->law; }
const std::vector<Alarm>& Model::alarms_of_fit() const { return parts_->alarms_of_fit; }
Index Model::kept_rows() const { return parts_->kept.rows(); }
double Model::sure() const { return parts_->sure; }
Index Model::calibration_rows() const { return parts_->calibration_rows(); }
Index Model::models_held_out() const { return std::ssize(parts_->held_out); }
double Model::worst_coverage(double confidence) const {
  return models_held_out() == 0 ? confidence : coverage_held_out(calibration_rows(), models_held_out(), confidence);
}
const TargetRange& Model::target_range() const { return parts_->range; }
const std::string& Model::transform_name() const { return parts_->score.transform_name(); }
const Transform& Model::transform() const { return parts_->score.transform(); }
Index Model::members() const { return parts_->score.localization().n_members(); }
int Model::sides() const { return parts_->score.localization().sides(); }
const std::vector<double>& Model::exponents() const { return parts_->score.localization().exponents(); }

std::vector<Column> Model::input_schema() const { return parts_->schema; }

std::vector<Column> ModelParts::prediction_schema() const {
  std::vector<Column> result = schema;
  for (const auto& name : options.prediction_columns()) result.push_back({.name = name, .is_strict = true});
  add_columns(result, reader.columns_to_predict());
  return result;
}

std::vector<Column> Model::prediction_schema() const { return parts_->prediction_schema(); }

std::vector<Column> Model::calibration_schema() const {
  std::vector<Column> schema = evaluation_schema();
  add_columns(schema, parts_->reader.columns_to_calibrate());
  if (!parts_->time.name.empty()) add_columns(schema, {parts_->time});
  return schema;
}

std::vector<Column> Model::evaluation_schema() const {
  std::vector<Column> schema = prediction_schema();
  schema.push_back(parts_->target);
  schema.back().is_strict = true;
  return schema;
}

}  // namespace taut
