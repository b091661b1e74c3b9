// A fit of any task, in the paper's order: split → f → out-of-sample scores → train g → calibrate.
#include <taut/model/model.hpp>

#include <taut/calibrate/groups/scale_groups.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/fit/imported.hpp>
#include <taut/guard/limits.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/guard/seen_rows.hpp>
#include <taut/model/fit_in_time.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/model/held_out.hpp>
#include <taut/options/given_columns.hpp>
#include <taut/plan/columns.hpp>
#include <taut/plan/named_columns.hpp>
#include <taut/time/past_inputs.hpp>
#include <taut/time/time_column.hpp>

#include <algorithm>
#include <utility>

namespace taut {

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

std::vector<std::string> Task::output_names() const {
  std::vector<std::string> names = {"the prediction", "the scale", "the scale above"};
  names.resize(std::min(names.size(), static_cast<std::size_t>(n_outputs())));
  return names;
}

RowPlan Task::plan(const TableView& table, const Rows& usable, Index, const FitOptions& options, bool calibration_elsewhere,
                   const ExecutionContext&) {
  return plan_of(table, usable, options, calibration_elsewhere);
}

SignedScore ScoredRows::score_of_error(Index, RowTarget, const ScoredRows&) const {
  throw UsageError("models of this kind of target are not trained anew");
}

namespace {

CalibrationOptions calibration_of(const FitOptions& options) {
  CalibrationOptions how;
  how.by = options.by;
  how.other_groups = options.other_groups;
  how.keep_together = options.keep_together;
  if (options.calibrate_by_weight) how.weights = options.sample_weight;
  how.sure = options.sure;
  return how;
}

// Leaves out parts of the scale if the fit has found one width everywhere: all rows are then in the same part. Only training and
// validation rows decide this.
void leave_out_scale(CalibrationOptions& how, const Task& task, const TableView& table, const ExecutionContext& context) {
  if (task.n_outputs() > task.n_predictions()) return;
  std::vector<std::string> left_out;
  for (const auto& specification : how.by)
    if (cuts_the_scale(specification, "--by", table.columns())) left_out.push_back(specification);
  if (left_out.empty()) return;
  std::erase_if(how.by, [&](const auto& by) { return std::find(left_out.begin(), left_out.end(), by) != left_out.end(); });
  if (how.by.empty()) how.other_groups = CalibrationOptions().other_groups;
  context.tell(
      format_text("--by {} is left out: the fit has no scale to cut, because none was better than one width everywhere on "
                  "validation rows, or the transformation is not a scale; all rows are in one part",
                  join(left_out, ", ")));
}

// Adds inputs that are made from earlier rows as columns of the table. The result keeps the last rows for later predictions.
PastInputs add_past(TableView& table, const Column& time, const FitOptions& options, const RowPlan& plan) {
  if (!options.has_past()) return {};
  PastInputs past(table, options, plan.selection_rows());
  const Rows order = order_of_time(table, time);
  refuse_repeated_times(table, time, order);
  const Matrix cells = past.cells(table);
  table = past.extended(table, order);
  past.remember(cells, order);
  return past;
}

// Throws an Error if the calibration table lacks an input. It may lack columns that are left out.
void check_calibration_inputs(const TableView& calibration, const TableView& table, const FitOptions& options,
                              const RowPlan& plan, const PastInputs& past) {
  const auto is_absent = [&](const Column& column) {
    return !find_column(calibration.columns(), column.name) && !past.makes(column.name);
  };
  const auto inputs = input_columns(table, options);
  if (std::none_of(inputs.begin(), inputs.end(), is_absent)) return;
  std::vector<std::string> absent, wanted;
  for (const Column& column : fit_inputs(table, options, plan).schema) {
    wanted.push_back(column.name);
    if (is_absent(column)) absent.push_back(column.name);
  }
  if (!absent.empty()) throw Error(missing_columns(calibration.source(), absent, wanted, calibration.names()));
}

bool takes_several_targets(const Task& task) {
  return std::any_of(tasks().begin(), tasks().end(),
                     [&](const TaskEntry& entry) { return entry.name == task.name() && entry.takes_several_targets; });
}

void check_number_of_targets(const Task& task, const std::vector<Column>& targets, const std::string& text) {
  if (targets.empty()) throw UsageError(format_text("--target '{}' names no column", text));
  if (targets.size() > 1 && !takes_several_targets(task))
    throw UsageError(
        format_text("--task {} predicts one target, and --target {} names {}; leave --task out, or give --task "
                    "several",
                    task.name(), text, targets.size()));
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (targets[i].name == targets[k].name)
        throw UsageError(format_text("--target names the column '{}' twice; name each target once", targets[i].name));
}

// As the model file checks them.
std::string joined_names(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return join(names, ",");
}

const TaskEntry& entry_of(const TaskChoice& choice, const TableView& table, const FitOptions& options,
                          bool calibration_elsewhere) {
  choice.check();
  for (const TaskEntry& entry : tasks())
    if (choice.name == "auto" ? entry.fits(table, options, choice.options, calibration_elsewhere) : entry.name == choice.name)
      return entry;
  throw Error(format_text("{}: no task fits the target '{}'; name one by --task", table.source(), options.target));
}

}  // namespace

TaskChoice TaskChoice::resolved(const TableView& table, const FitOptions& fit, bool calibration_elsewhere) const {
  TaskChoice choice = *this;
  choice.name = entry_of(*this, table, fit, calibration_elsewhere).name;
  return choice;
}

std::string current_task_name(const std::string& name) {
  for (const TaskEntry& entry : tasks())
    if (!entry.former_name.empty() && entry.former_name == name) return std::string(entry.name);
  return name;
}

void TaskChoice::check() const {
  std::vector<std::string> allowed;
  for (const TaskEntry& entry : tasks()) allowed.emplace_back(entry.name);
  allowed.emplace_back("auto");
  if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
    throw UsageError(unknown_name("value of --task", name, allowed));
  for (const TaskEntry& entry : tasks())
    if (entry.check != nullptr) entry.check(*this);
}

std::unique_ptr<ModelParts> fit_parts(std::unique_ptr<Task> task, const FitRequest& request) {
  auto parts = std::make_unique<ModelParts>();
  parts->options = request.options;
  parts->sure = request.options.sure;
  parts->record.source = request.table.source();
  parts->record.rows = request.table.rows();
  parts->record.predictor_rows = std::ssize(request.plan.predictor);
  parts->task = std::move(task);
  parts->task->fit(request, *parts);
  const Traced traced("remember rows");
  const Rows trained = parts->rows_with_all_targets(request.table, request.plan.selection_rows());
  parts->seen_rows.train(
      row_hashes(parts->inputs_of(request.table), parts->targets(request.table, trained), trained, request.context.threads));
  return parts;
}

Model Model::fit(const TableView& table, const FitOptions& options, const TaskChoice& choice, const ExecutionContext& context,
                 const std::optional<TableView>& calibration, const ForeignModel* foreign) {
  check_named_columns(table, options);
  const TaskEntry& entry = entry_of(choice, table, options, calibration.has_value());
  return fit(entry.make(choice.options), table, options, context, calibration, foreign);
}

Model Model::fit(std::unique_ptr<Task> task, const TableView& given, const FitOptions& asked, const ExecutionContext& context,
                 const std::optional<TableView>& calibration, const ForeignModel* foreign) {
  const TimeBudget budget(asked);
  asked.check_distribution();
  const GivenColumns columns = given_columns(asked, given.names());
  if (!columns.without_number.empty())
    context.tell(format_text(
        "{} a pattern of given columns, but {} no number in {}: inputs, as without the pattern",
        "'" + join(columns.without_number, "', '") + "'" + (columns.without_number.size() == 1 ? " fits" : " fit"),
        columns.without_number.size() == 1 ? "has" : "have", columns.without_number.size() == 1 ? "its name" : "their names"));
  const FitOptions resolved = with_given_columns(asked, given.names());
  FitOptions options = foreign != nullptr ? with_imported(resolved) : resolved;
  if (foreign == nullptr && is_imported(options))
    throw UsageError("the predictor 'imported' is a model of another library: --model FILE names it");
  options.check();
  task->check(options);
  TableView table = given.with_missing(options.na);
  check_named_columns(table, options);  // the first check, because a wrong name causes other errors
  if (calibration && calibration->rows() > 0) check_calibration_columns(calibration->with_missing(options.na), options);
  std::vector<Column> targets;
  for (const auto& name : target_names(table, options)) targets.push_back({.name = name, .kind = task->target_kind()});
  check_number_of_targets(*task, targets, options.target);
  if (targets.size() > 1) options.target = joined_names(targets);
  Rows usable = rows_of_fit(table, options, targets, HasTargets::any);
  const Index n_with_target =
      options.sample_weight.empty() ? std::ssize(usable) : std::ssize(usable_rows(table, options, targets, HasTargets::any));
  Column time;
  double latest = -infinity;
  if (!options.order_by.empty()) {
    time = time_column(table, options.order_by, usable);
    latest = sort_by_time(table, time, usable, context);
  }
  const bool holds_out = options.holds_out();
  if (holds_out) check_held_out(options, std::ssize(usable), calibration.has_value(), table.source());
  const Index n_usable = std::ssize(usable);
  usable = enough_rows(std::move(usable), options, context);
  check_memory(std::ssize(usable), std::ssize(table.columns()), available_bytes(), table.source(), context);
  RowPlan plan = task->plan(table, usable, n_usable, options, calibration.has_value() || holds_out, context);
  plan.place(usable);
  if (!holds_out) Rows().swap(usable);  // frees memory: about a tenth of the total for many rows
  PastInputs past = add_past(table, time, options, plan);
  if (calibration && calibration->rows() > 0) check_calibration_inputs(*calibration, table, options, plan, past);

  Model model(fit_in_time(std::move(task), {table, options, plan, context, foreign}, budget));
  ModelParts& parts = *model.parts_;
  parts.time = std::move(time);
  parts.latest = latest;
  parts.past = std::move(past);
  parts.record.skipped_rows = table.rows() - n_with_target;
  parts.record.rows_of_weight_0 = n_with_target - n_usable;
  const auto raise = [&](std::vector<Alarm> alarms) {
    for (Alarm& alarm : alarms) parts.alarms_of_fit.push_back(std::move(alarm));
  };
  const auto known = [&](const TableView& of, const Rows& some) {
    Rows rows = parts.rows_with_all_targets(of, some);
    auto y = parts.targets(of, rows);
    return KnownRows{parts.inputs_of(of), std::move(rows), std::move(y)};
  };
  if (holds_out) {
    parts.held_out = fit_held_out(table, usable, options, parts, context);
    Found found;
    for (const auto& part : parts.held_out) found += part->seen_rows.calibration_in_training();
    if (may_repeat(found)) {
      const KnownRows all = known(table, usable);
      raise(alarms_of_repeated(found, all, all, true));
    }
    return model;
  }
  const Rows trained = plan.selection_rows();
  {
    const Traced traced("remember rows");
    parts.remember(table, trained, context.threads);
  }
  return_free_memory();
  CalibrationOptions how = calibration_of(options);
  leave_out_scale(how, *parts.task, table, context);
  if (!calibration)
    raise(parts.calibrate(table, plan.calibration, how, trained, context));
  else if (calibration->rows() > 0)
    raise(model.calibrate(*calibration, context, how));
  const auto is_seen = [](const Alarm& alarm) { return alarm.kind == AlarmKind::training_rows; };
  const auto& raised = parts.alarms_of_fit;
  const Found& found = parts.seen_rows.calibration_in_training();
  // Skip this if an alarm for calibration rows that are training rows was raised already. Skip it also for another file if inputs
  // are made from earlier rows, because the inputs of its first rows depend on where it begins.
  if (may_repeat(found) && (!calibration || !options.has_past()) && std::none_of(raised.begin(), raised.end(), is_seen)) {
    const TableView of = calibration ? calibration->with_missing(options.na) : table;
    raise(alarms_of_repeated(
        found, known(table, trained),
        known(of, calibration ? rows_of_calibration(of, options, parts.target_columns, HasTargets::all) : plan.calibration)));
  }
  return model;
}

Model::Model(std::unique_ptr<ModelParts> parts) : parts_(std::move(parts)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Task& Model::task() const { return *parts_->task; }
std::unique_ptr<Answering> Model::answering(const Asking& asking) const {
  const std::string option = asking.each ? "--each" : asking.contains ? "--contains" : asking.sum ? "--sum" : "";
  if (!option.empty() && !takes_several_targets(task()))
    throw UsageError(format_text("{} is about models of several targets, and this one predicts '{}' alone; leave it out", option,
                                 parts_->target().name));
  return parts_->task->answering(*parts_, asking);
}
const FitOptions& Model::options() const { return parts_->options; }
bool Model::set_skip_missing_target(bool skips) { return std::exchange(parts_->options.skip_missing_target, skips); }
const FitRecord& Model::record() const { return parts_->record; }
const Column& Model::target() const { return parts_->target(); }
const std::vector<Column>& Model::targets() const { return parts_->target_columns; }
const ScoreDistribution& Model::distribution() const { return parts_->distribution; }
const std::vector<Alarm>& Model::alarms_of_fit() const { return parts_->alarms_of_fit; }
double Model::sure() const { return parts_->sure; }
Index Model::calibration_rows() const { return parts_->calibration_rows(); }
std::vector<Column> Model::input_schema() const { return parts_->schema; }

std::vector<Column> ModelParts::columns_of_task() const {
  std::vector<Column> result = schema;
  for (const auto& name : task->given_columns()) result.push_back({.name = name, .is_strict = true});
  return result;
}

std::vector<Column> ModelParts::prediction_schema() const {
  std::vector<Column> result = columns_of_task();
  add_columns(result, reader.columns_to_predict());
  return result;
}

std::vector<Column> Model::prediction_schema() const { return parts_->prediction_schema(); }

std::vector<Column> Model::evaluation_schema() const {
  std::vector<Column> schema = prediction_schema();
  for (const Column& target : parts_->target_columns) {
    schema.push_back(target);
    schema.back().is_strict = !target.is_categorical();
  }
  return schema;
}

std::vector<Column> Model::calibration_schema() const {
  std::vector<Column> schema = evaluation_schema();
  add_columns(schema, parts_->reader.columns_to_calibrate());
  if (!parts_->time.name.empty()) add_columns(schema, {parts_->time});
  return schema;
}

std::vector<Column> Model::input_and_given_schema() const { return parts_->columns_of_task(); }
Index Model::models_held_out() const { return std::ssize(parts_->held_out); }
double Model::worst_coverage(double confidence) const {
  return models_held_out() == 0 ? confidence : coverage_held_out(calibration_rows(), models_held_out(), confidence);
}
std::string Model::describe_parts() const { return task().describe_parts(*parts_); }
std::string Model::describe_out_of_fold() const { return parts_->task->describe_out_of_fold(*parts_); }
std::string Model::describe_target(std::size_t max_names) const { return task().describe_target(*parts_, max_names); }
std::string Model::describe_fit() const { return task().describe_fit(*parts_); }
Value Model::facts() const { return task().facts(*parts_); }

}  // namespace taut
