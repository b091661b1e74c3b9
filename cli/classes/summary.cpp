// Models of labels in words.
#include <cli/classes/doors.hpp>
#include <cli/summary.hpp>
#include <cli/text_table.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

namespace {

std::vector<double> levels_of_sets(const ClassModel& model) {
  std::vector<double> levels = {0.9, 0.95, 0.99};
  const double focus = model.options().focus;
  if (focus > 0 && std::find(levels.begin(), levels.end(), focus) == levels.end()) levels.push_back(focus);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::string rows_of_sets(const ClassModel& model) {
  const FitRecord& record = model.record();
  std::string words = counted(record.rows, "row") + " of " + record.source + ": ";
  if (record.predictor_rows > 0) words += "predictor " + print_count(record.predictor_rows) + ", ";
  if (record.transform_rows > 0)
    words +=
        "transformation " + print_count(record.transform_rows) + ", validation " + print_count(record.validation_rows) + ", ";
  return words + "calibration " + print_count(model.law().rows());
}

}  // namespace

std::string labels_in_words(const ClassModel& model, std::size_t most) {
  const auto& labels = model.labels();
  const auto shown = std::span(labels).first(std::min(most, labels.size()));
  return std::to_string(labels.size()) + " labels: " + join(shown, ", ") + (shown.size() < labels.size() ? ", ..." : "");
}

std::string parts_of_sets(const ClassModel& model) {
  const ClassRecord& record = model.class_record();
  const auto& prefix = model.class_options().probabilities;
  std::string words =
      "sets of labels by " + (prefix.empty() ? model.predictor_in_words() : "probabilities from columns '" + prefix + "...'");
  if (record.mended) words += ", mended by boosted trees (" + print_count(model.mended_trees()) + " trees)";
  words += "; score " + model.class_options().score_in_force();
  if (record.trained)
    return words + "; a shift of its odds for each row, trained by " + record.objective +
           (model.members() > 1 ? " (mean of " + std::to_string(model.members()) + ")" : "");
  if (model.record().fell_back)
    return words + "; one cut-off everywhere (fell back to 'fixed': nothing better on validation rows)";
  return words + "; one cut-off everywhere ('fixed')";
}

std::string calibration_of_sets(const ClassModel& model) {
  std::string text;
  const bool in_order = model.options().is_in_order();
  if (in_order) text += "  " + std::string(words_of_rows_in_order) + "\n";
  for (const auto& note : model.calibration_notes()) text += "  " + note + "\n";
  text += sure_promise(model.sure(), kind_of(model));
  TextTable table;
  const auto groups = model.calibration_groups();
  const CalibrationKind kind = kind_of(model);
  if (kind == CalibrationKind::by_label || kind == CalibrationKind::by_group) {
    table.row({"confidence", kind == CalibrationKind::by_label ? "labels served" : "groups served", "of"});
    for (const double level : levels_of_sets(model)) {
      const Index least = least_calibration_rows(level, model.law().sure());
      const auto served = std::count_if(groups.begin(), groups.end(), [&](const GroupSize& one) { return one.rows >= least; });
      table.row({print_number(level), print_count(served), print_count(std::ssize(groups))},
                served < std::ssize(groups) ? "the others need " + counted(least, "calibration row") + " each" : "");
    }
    return text + table.text();
  }
  if (kind != CalibrationKind::plain) return text;
  const Law& law = model.law();
  table.row({"confidence", "rank of " + print_count(law.rows()), in_order ? "if exchangeable" : "delivered coverage"});
  for (const double level : levels_of_sets(model))
    if (const Index rank = law.rank(level); rank > law.rows())
      table.row({print_number(level), "too few", ""},
                "needs " + counted(least_calibration_rows(level, law.sure()), "calibration row"));
    else
      table.row({print_number(level), print_count(rank), print_rounded(law.delivered(level), 5)});
  return text + table.text();
}

void warn_of_few_rows_for_sets(const ClassModel& model, Terminal& terminal) {
  for (const double level : levels_of_sets(model)) {
    const Index least = least_calibration_rows(level, model.law().sure());
    if (kind_of(model) == CalibrationKind::plain && model.law().rows() < least)
      terminal.warn(counted(model.law().rows(), "calibration row") + " are too few for confidence " + print_number(level) +
                    ", where sets hold every label; at least " + print_count(least) + " are needed");
    std::vector<std::string> names;
    if (model.by_label())
      for (const GroupSize& label : model.calibration_groups())
        if (label.rows < least) names.push_back(label.name + " (" + print_count(label.rows) + ")");
    constexpr std::size_t most = 5;
    if (!names.empty())
      terminal.warn(counted(std::ssize(names), "label") + (names.size() == 1 ? " has" : " have") +
                    " too few calibration rows for confidence " + print_number(level) + " and " +
                    (names.size() == 1 ? "is" : "are") + " in every set there; at least " + print_count(least) + " are needed: " +
                    join(std::span(names).first(std::min(most, names.size())), ", ") + (names.size() > most ? ", ..." : ""));
  }
}

void summarise_sets(const ClassModel& model, const std::string& output, Terminal& terminal) {
  for (const auto& line : column_notes_in_words(model.record())) terminal.say(line);
  terminal.say(output + ": " + parts_of_sets(model));
  terminal.print("  target '" + model.options().target + "', " + labels_in_words(model, 8) + "\n  " + rows_of_sets(model) + "\n" +
                 calibration_of_sets(model));
  warn_of_few_rows_for_sets(model, terminal);
}

}  // namespace taut
