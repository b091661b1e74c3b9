// The story of a fit of labels, as Model::fit tells it: split → f → out-of-fold scores → train g → calibrate.
#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/classes/softmax.hpp>
#include <taut/classes/temperature.hpp>
#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/row_hash.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Given probabilities are out of sample by themselves, as given predictions are: the plan treats them alike, and their columns
// are no inputs.
FitOptions with_given(FitOptions options, const std::vector<std::string>& given) {
  if (given.empty()) return options;
  options.prediction = given.front();
  options.drop.insert(options.drop.end(), given.begin() + 1, given.end());
  return options;
}

// Which columns there are is known when the labels are, and these when the plan is; the plan asks only whether there are any.
RowPlan plan_for(const TableView& table, const FitOptions& options, const ClassOptions& classes, bool calibration_elsewhere) {
  FitOptions planned = options;
  if (!classes.probabilities.empty()) planned.prediction = "given";
  return class_plan(table, planned, calibration_elsewhere);
}

Matrix logits_of_given(const Matrix& p) { return p.array().log().matrix(); }

Matrix heated(const Matrix& logits, double beta, int threads) {
  Matrix p(logits.rows(), logits.cols());
  const auto classes = static_cast<std::size_t>(p.cols());
  parallel_blocks(p.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) softmax({logits.row(row).data(), classes}, beta, {p.row(row).data(), classes});
  });
  return p;
}

SetObjective objective_of(const FitOptions& options) {
  SetObjective objective;
  if (options.objective == "conditional") objective.goal = SetObjective::Goal::conditional;
  if (options.focus > 0) objective.levels = {options.focus};
  else objective.levels = {0.8, 0.9, 0.95};
  return objective;
}

// Log odds of scores, bounded so that sums of them stay sensible.
Matrix odds_of_scores(const ClassParts& parts, const Matrix& p, std::uint64_t seed) {
  constexpr double most = 30;
  const double top = parts.score->top(p.cols());
  Matrix v(p.rows(), p.cols());
  const auto classes = static_cast<std::size_t>(p.cols());
  for (Index row = 0; row < p.rows(); ++row) {
    const double uniform = Random(seed).fork(static_cast<std::uint64_t>(row)).uniform();
    parts.score->scores({p.row(row).data(), classes}, uniform, {v.row(row).data(), classes});
    for (Index k = 0; k < p.cols(); ++k) v(row, k) = std::clamp(log_odds(v(row, k), top), -most, most);
  }
  return v;
}

void refuse_columns_twice(const FitOptions& options, const std::vector<std::string>& given) {
  for (const auto& name : given)
    if (name == options.target || std::find(options.drop.begin(), options.drop.end(), name) != options.drop.end())
      throw UsageError("--probabilities takes the column '" + name + "', which --" +
                       (name == options.target ? "target" : "drop") + " names too");
}

}  // namespace

ClassModel ClassModel::fit(const TableView& whole, const FitOptions& options, const ClassOptions& class_options,
                           const ExecutionContext& context, const std::optional<TableView>& calibration) {
  options.check();
  class_options.check_with(options);
  const TableView table = whole.with_missing(options.na);
  table.require(options.target);
  const RowPlan plan = plan_for(table, options, class_options, calibration.has_value());
  const Rows choosing = plan.choosing();
  auto parts = std::make_unique<ClassParts>();
  parts->options = options;
  parts->class_options = class_options;
  parts->target = label_column(table, options.target, choosing, class_options.probabilities);
  parts->target.missing_words = options.na;
  if (!class_options.probabilities.empty())
    parts->given = probability_columns(table, class_options.probabilities, parts->target);
  refuse_columns_twice(options, parts->given);
  const auto [schema, notes, x] = fit_inputs(table, with_given(options, parts->given), choosing);
  parts->schema = schema;
  parts->score = class_scores().make(class_options.score_in_force());
  parts->by_label = class_options.by_label;
  labels_of(table, parts->target, usable_rows(table, options));  // a missing one is said before any work

  const bool adapts = options.adapts();
  Matrix logits;
  if (parts->given.empty()) {
    const auto labels = labels_of(table, parts->target, plan.predictor);
    auto fitted = ClassTrees::fit(x, labels, parts->classes(), plan, options, context);
    parts->trees = std::move(fitted.trees);
    logits = std::move(fitted.out_of_fold);
  } else if (adapts) {
    logits = logits_of_given(probabilities_of(table, parts->given, plan.transform));
  }
  return_free_memory();
  const auto labels = labels_of(table, parts->target, plan.transform);
  // Given probabilities are as they are where nothing is to be trained: the classical method on them, to the last bit.
  if (logits.rows() > 0) parts->class_record.inverse_temperature = best_inverse_temperature(logits, labels, context.threads);
  if (adapts) {
    const Matrix p = heated(logits, parts->class_record.inverse_temperature, context.threads);
    const auto seed = static_cast<std::uint64_t>(options.seed);
    const Matrix v = odds_of_scores(*parts, p, seed);
    const SetObjective objective = objective_of(options);
    auto fitted = SetShift::fit({x, plan.transform, p}, v, labels, plan.parts, objective, seed, context);
    parts->shift = std::move(fitted.shift);
    ClassRecord& record = parts->class_record;
    record.trained = !parts->shift.empty();
    record.objective = objective.goal == SetObjective::Goal::size ? "size" : "conditional";
    record.without = fitted.without;
    record.with = fitted.with;
    record.error = fitted.error;
  }

  FitRecord& record = parts->record;
  record.source = table.source();
  record.rows = table.rows();
  record.columns = notes;
  record.skipped_rows = table.rows() - std::ssize(usable_rows(table, options));
  record.predictor_rows = std::ssize(plan.predictor);
  record.fell_back = adapts && parts->shift.empty();
  if (adapts) {
    record.transform_rows = plan.transform_training_rows();
    record.validation_rows = plan.validation_rows();
  }
  std::vector<double> codes;
  for (const Index label : labels_of(table, parts->target, choosing)) codes.push_back(static_cast<double>(label));
  parts->seen_rows.train(row_hashes(x, codes, choosing, context.threads));

  ClassModel model(std::move(parts));
  model.parts_->remember(table, choosing, context.threads);
  CalibrationOptions how;
  how.by = options.by;
  how.other_groups = options.other_groups;
  how.keep_together = options.keep_together;
  if (!calibration)
    for (const Alarm& alarm : model.parts_->calibrate(table, plan.calibration, how, choosing, context)) context.tell(alarm.words);
  else if (calibration->rows() > 0)
    for (const Alarm& alarm : model.calibrate(*calibration, context, how)) context.tell(alarm.words);
  return model;
}

ClassModel::ClassModel(std::unique_ptr<ClassParts> parts) : parts_(std::move(parts)) {}
ClassModel::ClassModel(ClassModel&&) noexcept = default;
ClassModel& ClassModel::operator=(ClassModel&&) noexcept = default;
ClassModel::~ClassModel() = default;

const FitOptions& ClassModel::options() const { return parts_->options; }
const ClassOptions& ClassModel::class_options() const { return parts_->class_options; }
const std::vector<std::string>& ClassModel::labels() const { return parts_->target.categories; }
const Column& ClassModel::target() const { return parts_->target; }
const FitRecord& ClassModel::record() const { return parts_->record; }
const ClassRecord& ClassModel::class_record() const { return parts_->class_record; }
Index ClassModel::trees() const { return parts_->given.empty() ? parts_->trees.trees() : 0; }
Index ClassModel::members() const { return parts_->shift.members(); }
bool ClassModel::by_label() const { return parts_->by_label; }
const Law& ClassModel::law() const { return parts_->law; }

}  // namespace taut
