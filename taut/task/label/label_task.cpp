// A fit of labels: probabilities → out-of-fold scores of labels → the shift of scores that is trained on them.
#include <taut/task/label/label_task.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Given probabilities are out of sample already, like given predictions. The plan treats them in the same way, and their columns
// are not inputs.
FitOptions with_given(FitOptions options, const std::vector<std::string>& given) {
  if (given.empty()) return options;
  options.prediction = given.front();
  options.drop.insert(options.drop.end(), given.begin() + 1, given.end());
  return options;
}

// Five folds, so that every row that trains g also validates once. The rows are in random order already.
void cross_parts(RowPlan& plan) {
  constexpr Index folds = 5;
  const Index rows = std::ssize(plan.transform);
  plan.parts.clear();
  for (Index fold = 0; fold < folds; ++fold) plan.parts.push_back({rows, rows * fold / folds, rows * (fold + 1) / folds});
}

// With given probabilities less is trained, so more rows calibrate. With few rows nothing is trained and all of them calibrate.
FitOptions with_shares(FitOptions options, const LabelOptions& classes, Index rows, const ExecutionContext& context) {
  constexpr Index min_to_learn = 200;
  if (classes.probabilities.empty() || !options.split.empty() || !options.adapts()) return options;
  if (rows >= min_to_learn) {
    options.split = "0,0.4,0.1,0.5";
    return options;
  }
  options.transform = "fixed";
  options.objective.clear();
  options.split = "0,0,0,1";
  context.tell(
      format_text("{} rows with probabilities are too few to learn where sets should be larger ({} are needed): all of "
                  "them calibrate",
                  print_count(rows), print_count(min_to_learn)));
  return options;
}

Matrix logits_of_given(const Matrix& p) { return p.array().log().matrix(); }

Matrix at_temperature(const Matrix& logits, double beta, int threads) {
  Matrix p(logits.rows(), logits.cols());
  const auto classes = static_cast<std::size_t>(p.cols());
  parallel_blocks(p.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) softmax({logits.row(row).data(), classes}, beta, {p.row(row).data(), classes});
  });
  return p;
}

// The log odds of scores, bounded because they may be infinite.
Matrix odds_of_scores(const ClassScore& score, const Matrix& p, std::uint64_t seed) {
  constexpr double maximum = 30;
  const double top = score.top(p.cols());
  Matrix v(p.rows(), p.cols());
  const auto classes = static_cast<std::size_t>(p.cols());
  for (Index row = 0; row < p.rows(); ++row) {
    const double uniform = Random(seed).fork(static_cast<std::uint64_t>(row)).uniform();
    score.scores({p.row(row).data(), classes}, uniform, {v.row(row).data(), classes});
    for (Index k = 0; k < p.cols(); ++k) v(row, k) = std::clamp(log_odds(v(row, k), top), -maximum, maximum);
  }
  return v;
}

// How often the largest logit of rows that f has not seen is the right one.
OutOfFoldRecord out_of_fold_record(const Matrix& logits, RowLabels labels) {
  if (logits.rows() == 0) return {};
  std::vector<double> counts(static_cast<std::size_t>(logits.cols()));
  double right = 0;
  for (Index row = 0; row < logits.rows(); ++row) {
    const Index label = labels[static_cast<std::size_t>(row)];
    Index best = 0;
    logits.row(row).maxCoeff(&best);
    right += best == label ? labels.weight(row) : 0;
    counts[static_cast<std::size_t>(label)] += labels.weight(row);
  }
  const auto share = [&](double count) { return count / labels.total(); };
  return {logits.rows(), share(right), share(*std::max_element(counts.begin(), counts.end()))};
}

void refuse_columns_twice(const FitOptions& options, const std::vector<std::string>& given) {
  for (const auto& name : given)
    if (name == options.target || std::find(options.drop.begin(), options.drop.end(), name) != options.drop.end())
      throw UsageError(format_text("--probabilities takes the column '{}', which --{} names too", name,
                                   name == options.target ? "target" : "drop"));
}

}  // namespace

void LabelTask::check(const FitOptions& shared) const { options.check_with(shared); }

// The columns of probabilities depend on the labels, and the labels on the plan. The plan therefore only uses whether there are
// such columns.
RowPlan LabelTask::plan(const TableView& table, const Rows& usable, Index n_with_target, const FitOptions& asked,
                        bool calibration_elsewhere, const ExecutionContext& context) {
  planned_ = with_shares(asked, options, n_with_target, context);
  FitOptions of_plan = planned_;
  if (!options.probabilities.empty()) of_plan.prediction = "given";
  RowPlan plan = plan_of(table, usable, of_plan, calibration_elsewhere);
  const bool any_order = planned_.keep_together.empty() && !planned_.is_in_order();
  if (planned_.split != asked.split && planned_.adapts() && any_order) cross_parts(plan);
  return plan;
}

// Trains the shift and fills in its record. The default goal is small sets, and both objectives are tried for it: `conditional`
// is easier to learn and often gives the smaller sets.
void LabelTask::learn_shift(const RowsOfShift& rows, const Matrix& v, RowLabels labels_of_rows,
                            const std::vector<TrainingPart>& folds, const ExecutionContext& context) {
  using Goal = SetObjective::Goal;
  SetObjective objective;
  objective.levels = planned_.focus > 0 ? std::vector{planned_.focus} : std::vector{0.8, 0.9, 0.95};
  const Goal wanted = planned_.objective == "conditional" ? Goal::conditional : Goal::size;
  std::vector<Goal> tried = {wanted};
  if (planned_.objective.empty()) tried.push_back(Goal::conditional);
  for (const Goal goal : tried) {
    objective.goal = goal;
    auto fitted =
        SetShift::fit(rows, v, labels_of_rows, folds, objective, wanted, static_cast<std::uint64_t>(planned_.seed), context);
    const bool first = record.objective.empty();
    const bool better = !fitted.shift.empty() && !(record.trained && fitted.with >= record.with);
    if (!first && !better) continue;
    record.objective = goal == Goal::size ? "size" : "conditional";
    record.without = fitted.without;
    record.with = fitted.with;
    record.error = fitted.error;
    shift = std::move(fitted.shift);
    record.trained = !shift.empty();
  }
}

// Corrects given probabilities by boosted trees if validation rows show an improvement. `logits` become the corrected logits,
// each row by trees that have not seen it.
void LabelTask::correct_given(const TableView& x, const RowPlan& plan, RowLabels labels_of_rows, Matrix& logits,
                              const ExecutionContext& context) {
  constexpr Index count = 5;
  const Index rows = std::ssize(plan.transform);
  std::vector<TrainingPart> folds = plan.parts;
  if (count_validation_rows(folds) != rows) {
    if (!planned_.keep_together.empty() || rows < 2 * count) return;  // a group must not be in training and validation rows
    folds = equal_parts(rows, count, planned_.is_in_order() ? planned_.gap : 0);
  }
  const auto settings = CorrectedLogits::cautious(labels_of_rows.counted(), logits.cols(),
                                                  static_cast<std::uint64_t>(planned_.seed), context.threads);
  auto fitted = CorrectedLogits::fit(x, plan.transform, logits, 0, labels_of_rows, folds, settings, context);
  record.loss_without = fitted.without;
  record.loss_with = fitted.with;
  record.loss_error = fitted.error;
  record.corrected = !fitted.corrected.empty();
  if (!record.corrected) return;
  logits = std::move(fitted.out_of_fold);
  corrected = std::move(fitted.corrected);
}

namespace {

// 1 for the first label, which is the most frequent one, and 0 for all others.
std::vector<double> first_label_indicators(RowLabels labels_of_rows) {
  std::vector<double> result;
  for (const Index label : labels_of_rows.values) result.push_back(label == 0 ? 1 : 0);
  return result;
}

}  // namespace

void LabelTask::fit(const FitRequest& request, ModelParts& parts) {
  const TableView& table = request.table;
  const RowPlan& plan = request.plan;
  const ExecutionContext& context = request.context;
  seed = static_cast<std::uint64_t>(planned_.seed);
  InferredColumn judged = target_labels(table, planned_.target, plan.selection_rows(), options.probabilities);
  parts.target_columns = {std::move(judged.column)};
  parts.target_columns.front().missing_words = planned_.na;
  labels = parts.target().categories;
  if (!options.probabilities.empty()) given = probability_columns(table, options.probabilities, parts.target());
  refuse_columns_twice(planned_, given);
  FitInputs inputs = fit_inputs(table, with_given(planned_, given), plan);
  if (!judged.words.empty())
    inputs.notes.insert(inputs.notes.begin(), {parts.target().name, "target", "the target: " + judged.words, false});
  parts.by_label = options.by_label;
  label_score = class_scores().make(options.score_in_force());
  labels_of(table, parts.target(), rows_of_fit(table, planned_, parts.target()));  // throws for a missing label
  const std::vector<double> weights = weights_of_fit(table, planned_, plan.selection_rows());
  const std::vector<double> of_predictor = pick_weights(weights, plan.predictor);
  const std::vector<double> of_transform = pick_weights(weights, plan.transform);
  if (given.empty())
    choose_number_or_category(inputs, request, first_label_indicators(labels_of(table, parts.target(), plan.predictor)),
                              of_predictor, TargetOfTrials::indicator);
  const auto& [schema, notes, x] = inputs;
  parts.schema = schema;

  const bool adapts = planned_.adapts();
  Matrix logits;
  if (given.empty()) {
    const auto of_rows = labels_of(table, parts.target(), plan.predictor);
    auto fitted = ClassPredictor::fit(x, {of_rows, of_predictor}, classes(), plan, planned_, context);
    predictor = std::move(fitted.predictor);
    record.loss_without = fitted.alone;
    record.loss_with = fitted.together;
    record.loss_error = fitted.error;
    logits = std::move(fitted.out_of_fold);
  } else if (adapts) {
    logits = logits_of_given(probabilities_of(table, given, plan.transform));
  }
  return_free_memory();
  const auto targets_of_rows = labels_of(table, parts.target(), plan.transform);
  const RowLabels labels_of_rows(targets_of_rows, of_transform);
  if (!given.empty() && adapts) correct_given(x, plan, labels_of_rows, logits, context);
  // Given probabilities stay as they are if nothing is trained, so that the result is the classical method, bit by bit.
  const double doubt = given.empty() ? label_smoothing(counted_rows(of_transform, logits.rows())) : 0;
  if (logits.rows() > 0) record.inverse_temperature = best_inverse_temperature(logits, labels_of_rows, context.threads, doubt);
  if (adapts) {
    const Matrix p = at_temperature(logits, record.inverse_temperature, context.threads);
    learn_shift({x, plan.transform, p}, odds_of_scores(*label_score, p, seed), labels_of_rows, plan.parts, context);
  }
  FitRecord& of_fit = parts.record;
  of_fit.out_of_fold = out_of_fold_record(logits, labels_of_rows);
  of_fit.columns = notes;
  of_fit.fell_back = adapts && shift.empty();
  if (adapts) {
    of_fit.transform_rows = plan.transform_training_rows();
    of_fit.validation_rows = plan.validation_rows();
  }
}

std::vector<double> LabelTask::targets(const TableView& table, std::span<const Column> columns, RowsView rows) const {
  const auto found = labels_of(table, columns.front(), rows);
  return {found.begin(), found.end()};
}

std::vector<Alarm> LabelTask::alarms_of_targets(std::span<const double> targets, const FitOptions& shared) const {
  const auto unknown = std::count_if(targets.begin(), targets.end(), [this](double label) { return is_never_covered(label); });
  if (unknown == 0) return {};
  return {{AlarmKind::unseen_categories,
           format_text("{} {} that no training row had: no set can hold it", counted(unknown, "row"),
                       unknown == 1 ? "has a label" : "have labels"),
           shared.target,
           {},
           {{"rows", static_cast<double>(unknown)}}}};
}

std::vector<std::string> LabelTask::notes_on_targets(std::span<const double> targets, bool by_value) const {
  std::vector<std::string> notes;
  std::vector<Index> counts(labels.size() + 1);
  for (const double label : targets) ++counts[static_cast<std::size_t>(std::min(static_cast<Index>(label), classes()))];
  for (std::size_t k = 0; by_value && k < labels.size(); ++k)
    if (counts[k] == 0)
      notes.push_back(format_text("no calibration row has the label {}: it is in every set", quoted_cell(labels[k])));
  if (const Index unknown = counts.back(); unknown > 0)
    notes.push_back(format_text(
        "{} of {} {} that no training row had: no set can hold it, and sets become larger to reach the "
        "level",
        print_count(unknown), counted(std::ssize(targets), "calibration row"), unknown == 1 ? "has a label" : "have labels"));
  return notes;
}

TaskEntry label_entry() {
  return {LabelTask::listed_name,
          LabelTask::in_file,
          "one of a few labels: probabilities and sets",
          [](const TableView& table, const FitOptions& shared, const TaskOptions& own, bool calibration_elsewhere) {
            return predicts_labels(table, shared, LabelOptions::from(own), calibration_elsewhere);
          },
          [](const TaskOptions& own) -> std::unique_ptr<Task> { return std::make_unique<LabelTask>(LabelOptions::from(own)); },
          LabelTask::load,
          [] {
            std::vector<OptionText> texts;
            for_each_label_option(LabelOptions{}, [&texts](const OptionText& text, const auto&) {
              if (text.name != "task") texts.push_back(text);  // which all tasks share
            });
            return texts;
          },
          [](const TaskChoice& choice) {
            LabelOptions options = LabelOptions::from(choice.options);
            options.task = choice.name;
            options.check();
          },
          false,
          "classes"};
}

const LabelTask& label_task(const ModelParts& parts) {
  const auto* task = dynamic_cast<const LabelTask*>(parts.task.get());
  if (task == nullptr) throw Error("the model does not predict labels; open it as a model of numbers");
  return *task;
}

LabelRows see_labels(const ModelParts& parts, const TableView& table, Rows rows, int threads) {
  return std::move(static_cast<LabelRows&>(*parts.see(table, std::move(rows), threads)));
}

// Saves and loads a task of labels. Nothing in a model file is trusted.

namespace {

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error(format_text("the model file's {} do not fit together: it is damaged", what));
}

void save_label_record(Archive archive, const LabelRecord& record) {
  archive.put("inverse_temperature", record.inverse_temperature);
  archive.put("objective", record.objective);
  archive.put("figures", std::vector<double>{record.without, record.with, record.error});
  archive.put("losses", std::vector<double>{record.loss_without, record.loss_with, record.loss_error});
}

LabelRecord load_label_record(const Archive& archive) {
  LabelRecord record;
  record.inverse_temperature = archive.number("inverse_temperature");
  if (!(record.inverse_temperature > 0 && record.inverse_temperature < infinity)) throw_damaged("probabilities");
  record.objective = archive.text("objective");
  const auto& figures = archive.get<std::vector<double>>("figures");
  if (figures.size() != 3) throw_damaged("figures");
  record.without = figures[0];
  record.with = figures[1];
  record.error = figures[2];
  const auto& losses = archive.get<std::vector<double>>("losses");
  if (losses.size() != 3) throw_damaged("figures");
  record.loss_without = losses[0];
  record.loss_with = losses[1];
  record.loss_error = losses[2];
  return record;
}

void check_labels(const Column& target) {
  auto sorted = target.categories;
  std::sort(sorted.begin(), sorted.end());
  if (target.kind != ColumnKind::category || sorted.size() < 2 || std::ssize(sorted) > max_classes ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw_damaged("labels");
}

}  // namespace

void LabelTask::save(Archive archive) const {
  options.save(archive.scope("class_options"));
  save_label_record(archive.scope("classes"), record);
  if (given.empty()) predictor.save(archive);
  if (!corrected.empty()) corrected.save(archive.scope("mended"));
  if (!shift.empty()) shift.save(archive.scope("shift"));
}

std::unique_ptr<Task> LabelTask::load(const Archive& archive, ModelParts& parts) {
  check_labels(parts.target());
  auto task = std::make_unique<LabelTask>(LabelOptions::load(archive.scope("class_options")));
  task->seed = static_cast<std::uint64_t>(parts.options.seed);
  task->record = load_label_record(archive.scope("classes"));
  task->labels = parts.target().categories;
  task->label_score = class_scores().make(task->options.score_in_force());
  if (const auto& prefix = task->options.probabilities; prefix.empty())
    task->predictor = ClassPredictor::load(archive, parts.schema, task->classes());
  else
    for (const auto& label : task->labels) task->given.push_back(prefix + label);
  if (archive.has_scope("mended"))
    task->corrected = CorrectedLogits::load(archive.scope("mended"), parts.schema, task->classes());
  task->record.corrected = !task->corrected.empty();
  if (archive.has_scope("shift")) task->shift = SetShift::load(archive.scope("shift"), parts.schema);
  task->record.trained = !task->shift.empty();
  return task;
}

}  // namespace taut
