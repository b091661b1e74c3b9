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
#include <taut/model/repeated_rows.hpp>
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
RowPlan plan_for(const TableView& table, const FitOptions& options, const ClassOptions& classes, bool calibration_elsewhere,
                 const ExecutionContext& context, TimesOfRows& times) {
  FitOptions planned = options;
  if (!classes.probabilities.empty()) planned.prediction = "given";
  return class_plan(table, planned, calibration_elsewhere, context, &times);
}

// Every row that learns also validates, in one of five folds: the rows of the shares stand in random order.
void cross_parts(RowPlan& plan) {
  constexpr Index folds = 5;
  const Index rows = std::ssize(plan.transform);
  plan.parts.clear();
  for (Index fold = 0; fold < folds; ++fold) plan.parts.push_back({rows, rows * fold / folds, rows * (fold + 1) / folds});
}

// Given probabilities spare rows for calibration: what is learned from them is little, and with few rows nothing.
FitOptions with_shares(FitOptions options, const ClassOptions& classes, Index rows, const ExecutionContext& context) {
  constexpr Index least_to_learn = 200;
  if (classes.probabilities.empty() || !options.split.empty() || !options.adapts()) return options;
  if (rows >= least_to_learn) {
    options.split = "0,0.4,0.1,0.5";
    return options;
  }
  options.transform = "fixed";
  options.objective.clear();
  options.split = "0,0,0,1";
  context.tell(print_count(rows) + " rows with probabilities are too few to learn where sets should be larger (" +
               print_count(least_to_learn) + " are needed): all of them calibrate");
  return options;
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

// The shift that is kept, and what was learned with it. Without an objective small sets are wanted, and both are tried: equal
// coverage is the easier one to learn, and often makes sets the smaller ones.
void learn_shift(ClassParts& parts, const FitOptions& options, const RowsOfShift& rows, const Matrix& v,
                 std::span<const Index> labels, const std::vector<TrainingPart>& folds, const ExecutionContext& context) {
  using Goal = SetObjective::Goal;
  SetObjective objective;
  objective.levels = options.focus > 0 ? std::vector{options.focus} : std::vector{0.8, 0.9, 0.95};
  const Goal wanted = options.objective == "conditional" ? Goal::conditional : Goal::size;
  std::vector<Goal> tried = {wanted};
  if (options.objective.empty()) tried.push_back(Goal::conditional);
  ClassRecord& record = parts.class_record;
  for (const Goal goal : tried) {
    objective.goal = goal;
    auto fitted = SetShift::fit(rows, v, labels, folds, objective, wanted, static_cast<std::uint64_t>(options.seed), context);
    const bool first = record.objective.empty();
    const bool better = !fitted.shift.empty() && !(record.trained && fitted.with >= record.with);
    if (!first && !better) continue;
    record.objective = goal == Goal::size ? "size" : "conditional";
    record.without = fitted.without;
    record.with = fitted.with;
    record.error = fitted.error;
    parts.shift = std::move(fitted.shift);
    record.trained = !parts.shift.empty();
  }
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

// A model of somebody's own may know too little of some rows: it is put right where rows that validate say so. The mended logits
// of each row come from trees that have not seen it.
void mend(ClassParts& parts, const FitOptions& options, const TableView& x, const RowPlan& plan, std::span<const Index> labels,
          Matrix& logits, const ExecutionContext& context) {
  constexpr Index count = 5;
  const Index rows = std::ssize(plan.transform);
  std::vector<TrainingPart> folds = plan.parts;
  if (count_validation_rows(folds) != rows) {
    if (!options.keep_together.empty() || rows < 2 * count) return;  // rows that belong together must not be on both sides
    folds = equal_parts(rows, count, options.is_in_order() ? options.gap : 0);
  }
  const auto settings = MendedLogits::cautious(rows, logits.cols(), static_cast<std::uint64_t>(options.seed), context.threads);
  auto fitted = MendedLogits::fit(x, plan.transform, logits, 0, labels, folds, settings, context);
  ClassRecord& record = parts.class_record;
  record.loss_without = fitted.without;
  record.loss_with = fitted.with;
  record.loss_error = fitted.error;
  record.mended = !fitted.mended.empty();
  if (!record.mended) return;
  logits = std::move(fitted.out_of_fold);
  parts.mended = std::move(fitted.mended);
}

void refuse_columns_twice(const FitOptions& options, const std::vector<std::string>& given) {
  for (const auto& name : given)
    if (name == options.target || std::find(options.drop.begin(), options.drop.end(), name) != options.drop.end())
      throw UsageError("--probabilities takes the column '" + name + "', which --" +
                       (name == options.target ? "target" : "drop") + " names too");
}

}  // namespace

ClassModel ClassModel::fit(const TableView& whole, const FitOptions& asked, const ClassOptions& class_options,
                           const ExecutionContext& context, const std::optional<TableView>& calibration) {
  asked.check();
  class_options.check_with(asked);
  const TableView table = whole.with_missing(asked.na);
  table.require(asked.target);
  const FitOptions options = with_shares(asked, class_options, std::ssize(usable_rows(table, asked)), context);
  TimesOfRows times;
  RowPlan plan = plan_for(table, options, class_options, calibration.has_value(), context, times);
  const bool any_order = options.keep_together.empty() && !options.is_in_order();
  if (options.split != asked.split && options.adapts() && any_order) cross_parts(plan);
  const Rows choosing = plan.choosing();
  auto parts = std::make_unique<ClassParts>();
  parts->options = asked;
  parts->sure = asked.sure;
  parts->class_options = class_options;
  parts->time = times.time;
  parts->latest = times.latest;
  parts->target = label_column(table, options.target, choosing, class_options.probabilities);
  parts->target.missing_words = options.na;
  if (!class_options.probabilities.empty()) parts->given = probability_columns(table, class_options.probabilities, parts->target);
  refuse_columns_twice(options, parts->given);
  const auto [schema, notes, x] = fit_inputs(table, with_given(options, parts->given), plan);
  parts->schema = schema;
  parts->score = class_scores().make(class_options.score_in_force());
  parts->by_label = class_options.by_label;
  labels_of(table, parts->target, usable_rows(table, options));  // a missing one is said before any work

  const bool adapts = options.adapts();
  Matrix logits;
  if (parts->given.empty()) {
    const auto labels = labels_of(table, parts->target, plan.predictor);
    auto fitted = ClassPredictor::fit(x, labels, parts->classes(), plan, options, context);
    parts->predictor = std::move(fitted.predictor);
    parts->class_record.loss_without = fitted.alone;
    parts->class_record.loss_with = fitted.together;
    parts->class_record.loss_error = fitted.error;
    logits = std::move(fitted.out_of_fold);
  } else if (adapts) {
    logits = logits_of_given(probabilities_of(table, parts->given, plan.transform));
  }
  return_free_memory();
  const auto labels = labels_of(table, parts->target, plan.transform);
  if (!parts->given.empty() && adapts) mend(*parts, options, x, plan, labels, logits, context);
  // Given probabilities are as they are where nothing is to be trained: the classical method on them, to the last bit.
  const double doubt = parts->given.empty() ? doubt_of(logits.rows()) : 0;
  if (logits.rows() > 0)
    parts->class_record.inverse_temperature = best_inverse_temperature(logits, labels, context.threads, doubt);
  if (adapts) {
    const Matrix p = heated(logits, parts->class_record.inverse_temperature, context.threads);
    const Matrix v = odds_of_scores(*parts, p, static_cast<std::uint64_t>(options.seed));
    learn_shift(*parts, options, {x, plan.transform, p}, v, labels, plan.parts, context);
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
  how.sure = options.sure;
  const auto raise = [&](std::vector<Alarm> alarms) {
    for (Alarm& alarm : alarms) model.parts_->alarms_of_fit.push_back(std::move(alarm));
  };
  if (!calibration)
    raise(model.parts_->calibrate(table, plan.calibration, how, class_options.by_label, choosing, context));
  else if (calibration->rows() > 0)
    raise(model.calibrate(*calibration, context, how));
  const auto is_seen = [](const Alarm& alarm) { return alarm.kind == AlarmKind::training_rows; };
  const auto& raised = model.parts_->alarms_of_fit;
  const Found& found = model.parts_->seen_rows.calibration_in_training();
  if (may_repeat(found) && std::none_of(raised.begin(), raised.end(), is_seen)) {
    const auto known = [&](const TableView& of, Rows rows) {
      const auto labels_of_rows = labels_of(of, model.parts_->target, rows);
      return KnownRows{model.parts_->inputs_of(of), std::move(rows), {labels_of_rows.begin(), labels_of_rows.end()}};
    };
    const TableView of = calibration ? calibration->with_missing(options.na) : table;
    raise(
        alarms_of_repeated(found, known(table, choosing), known(of, calibration ? usable_rows(of, options) : plan.calibration)));
  }
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
Index ClassModel::trees() const { return parts_->given.empty() ? parts_->predictor.trees() : 0; }
std::vector<std::pair<std::string, double>> ClassModel::predictor_members() const {
  if (!parts_->given.empty()) return {};
  return parts_->predictor.members_that_count();
}
std::string ClassModel::predictor_in_words() const { return parts_->given.empty() ? parts_->predictor.in_words() : ""; }
Index ClassModel::mended_trees() const { return parts_->mended.trees(); }
Index ClassModel::members() const { return parts_->shift.members(); }
bool ClassModel::by_label() const { return parts_->by_label; }
const Law& ClassModel::law() const { return parts_->law; }
const std::vector<Alarm>& ClassModel::alarms_of_fit() const { return parts_->alarms_of_fit; }
double ClassModel::sure() const { return parts_->sure; }

}  // namespace taut
