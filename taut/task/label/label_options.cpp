#include <taut/task/label/label_options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/guard/limits.hpp>
#include <taut/model/task.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/time/time_column.hpp>

#include <type_traits>

namespace taut {

std::string listed_class_scores() { return class_scores().describe(); }

void LabelOptions::check() const {
  if (task != "classification" && task != "auto" && ask_for_classes())
    throw UsageError("--task " + task +
                     ": --probabilities, --score and --by-label are about labels; leave them out, or give --task classification");
  class_scores().make(score_in_force());
}

void LabelOptions::check_with(const FitOptions& shared) const {
  check();
  const auto refuse = [](const std::string& option, const std::string& instead) {
    throw UsageError(format_text("--{} is about numbers, and the target holds labels; {}", option, instead));
  };
  if (shared.has_given_predictions()) refuse("prediction", "probabilities of your own model are given by --probabilities PREFIX");
  if (shared.y_min != -infinity || shared.y_max != infinity || shared.y_step != 0)
    refuse(shared.y_step != 0 ? "y-step" : shared.y_min != -infinity ? "y-min" : "y-max", "leave it out");
  if (shared.is_monotone()) refuse(shared.increasing.empty() ? "decreasing" : "increasing", "leave it out");
  if (!shared.target_scale.empty()) refuse("target-scale", "leave it out");
  if (!shared.exposure.empty()) refuse("exposure", "leave it out");
  if (shared.score_scale != FitOptions{}.score_scale) refuse("score-scale", "leave it out");
  if (shared.has_time()) refuse("time", "give --effort instead");
  if (shared.repeats > 1) refuse("repeats", "leave it out");
  if (shared.predictor != "stack" && shared.predictor != "boost")
    throw UsageError(
        format_text("--predictor {} predicts numbers; labels are predicted by boost, or by a model of your own (--probabilities)",
                    shared.predictor));
  if (shared.transform != FitOptions{}.transform && shared.transform != "fixed")
    throw UsageError(format_text("--transform {} is about numbers; for labels it is left out or fixed", shared.transform));
  if (!shared.objective.empty() && shared.objective != "size" && shared.objective != "conditional")
    throw UsageError(format_text("--objective {} is about numbers; for labels it is size or conditional", shared.objective));
  if (shared.has_past())
    refuse(shared.lags.empty() ? "rolling" : "lags", "leave it out, and give columns of the rows before as inputs of your own");
  if (shared.holds_out())
    throw UsageError(
        format_text("--split {} is for numbers, and the target holds labels; leave it out, or give shares: --split "
                    "0.4,0.2,0.2,0.2",
                    shared.split));
  if (by_label && !shared.by.empty()) throw UsageError("--by-label and --by exclude each other; give one");
  if (by_label && !shared.keep_together.empty()) throw UsageError("--by-label and --keep-together exclude each other; give one");
}

void LabelOptions::use_current_names() {
  task = current_task_name(task);
  score = class_scores().current(score);
}

LabelOptions LabelOptions::from(const TaskOptions& own) {
  LabelOptions options;
  for_each_label_option(options, [&own]<class T>(const OptionText& text, T& value) {
    const auto found = own.find(text.name);
    if (found == own.end()) return;
    if constexpr (std::is_same_v<T, bool>)
      value = found->second == "true";
    else
      value = found->second;
  });
  return options;
}

TaskOptions LabelOptions::as_task_options() const {
  TaskOptions own;
  for_each_label_option(*this, [&own]<class T>(const OptionText& text, const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      own.emplace(text.name, value ? "true" : "false");
    else
      own.emplace(text.name, value);
  });
  return own;
}

void LabelOptions::save(Archive archive) const {
  for_each_label_option(*this, [&archive]<class T>(const OptionText& text, const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      archive.put(text.name, static_cast<std::int64_t>(value));
    else
      archive.put(text.name, value);
  });
}

LabelOptions LabelOptions::load(const Archive& archive) {
  LabelOptions options;
  for_each_label_option(options, [&archive]<class T>(const OptionText& text, T& value) {
    if (!archive.has(text.name)) return;
    if constexpr (std::is_same_v<T, bool>)
      value = archive.integer(text.name) != 0;
    else
      value = archive.get<T>(text.name);
  });
  options.use_current_names();
  options.check();
  return options;
}

namespace {

// Dates written as text are not labels, although such a column contains no numbers either.
bool are_days(const ColumnTexts& texts, Column column) {
  column.kind = ColumnKind::date;
  for (const DateOrder order : {DateOrder::year_first, DateOrder::day_first, DateOrder::month_first}) {
    column.format.date_order = order;
    if (2 * readable_cells(texts.texts, column) > texts.cells) return true;
  }
  return false;
}

// The rows that a fit would use for model selection.
Rows selection_rows(const TableView& table, const FitOptions& shared, bool calibration_elsewhere) {
  Rows usable = rows_of_fit(table, shared, {.name = shared.target, .kind = ColumnKind::category});
  if (!shared.order_by.empty()) {
    if (!find_column(table.columns(), shared.order_by))
      throw Error("--order-by: " + missing_column(table.source(), shared.order_by, table.names()));
    sort_by_time(table, time_column(table, shared.order_by, usable), usable, {});
  }
  usable = enough_rows(std::move(usable), shared, {});
  RowPlan plan = plan_of(table, usable, shared, calibration_elsewhere);
  plan.place(usable);
  return plan.selection_rows();
}

}  // namespace

bool predicts_labels(const TableView& given, const FitOptions& shared, const LabelOptions& options, bool calibration_elsewhere) {
  options.check();
  if (options.task != "auto") return options.task == "classification";
  if (options.ask_for_classes()) return true;
  const TableView table = given.with_missing(shared.na);
  const Index position = table.require(shared.target);
  const Column& found = table.columns()[static_cast<std::size_t>(position)];
  if (found.kind == ColumnKind::boolean) return true;
  if (!found.is_categorical() || shared.has_given_predictions()) return false;
  const Rows rows = selection_rows(table, shared, calibration_elsewhere);
  const Column target = number_column(table, shared.target, rows, shared.declarations().decimal);
  const ColumnTexts texts = column_texts(table, position, rows);
  return texts.cells > 0 && readable_cells(texts.texts, target) == 0 && !are_days(texts, target);
}

}  // namespace taut
