#include <cli/summary.hpp>

#include <cli/text_table.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

std::vector<double> usual_levels(const Model& model) {
  std::vector<double> levels = {0.9, 0.95, 0.99};
  const double focus = model.options().focus;
  if (focus > 0 && std::find(levels.begin(), levels.end(), focus) == levels.end()) levels.push_back(focus);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::string parts_in_words(const Model& model) {
  const FitOptions& options = model.options();
  const auto given = options.prediction_columns();
  std::string words = given.empty()       ? "predictor " + options.predictor
                      : given.size() == 1 ? "predictions from column '" + given[0] + "'"
                                          : "quantile predictions from columns '" + given[0] + "' and '" + given[1] + "'";
  const std::string fixed = options.predicts_ends() ? "one width added to every predicted interval" : "one width everywhere";
  if (model.record().fell_back) return words + "; " + fixed + " (fell back to 'fixed': nothing better on validation rows)";
  if (model.transform_name() == "fixed") return words + "; " + fixed + " ('fixed')";
  words += "; transformation " + model.transform_name() + " by localizer " + options.localizer;
  if (model.members() > 1) words += " (mean of " + std::to_string(model.members()) + ")";
  return words + (model.sides() == 2 ? ", a scale for each side" : ", one scale for both sides");
}

std::vector<std::string> column_notes_in_words(const FitRecord& record) {
  std::vector<std::string> lines;
  if (record.skipped_rows > 0) lines.push_back(counted(record.skipped_rows, "row") + " without a target left out");
  if (record.columns.empty()) return lines;
  lines.push_back("columns of " + record.source +
                  " that are not plain numbers (overrule by --numeric, --categorical, --date, --ordered, --drop):");
  for (const ColumnNote& note : record.columns) lines.push_back("  " + note.column + ": " + note.words);
  return lines;
}

std::string rows_in_words(const Model& model) {
  const FitRecord& record = model.record();
  std::string words = counted(record.rows, "row") + " of " + record.source + ": ";
  if (record.predictor_rows > 0) words += "predictor " + print_count(record.predictor_rows) + ", ";
  if (!record.candidates.empty())  // something was trained
    words +=
        "transformation " + print_count(record.transform_rows) + ", validation " + print_count(record.validation_rows) + ", ";
  return words + "calibration " + print_count(model.law().rows());
}

std::string calibration_in_words(const Model& model) {
  const Law& law = model.law();
  TextTable table;
  table.row({"confidence", "rank of " + print_count(law.rows()), "delivered coverage"});
  for (const double level : usual_levels(model)) {
    const Index rank = law.rank(level);
    if (rank > law.rows())
      table.row({print_number(level), "too few", ""}, "needs " + counted(least_calibration_rows(level), "calibration row"));
    else
      table.row({print_number(level), print_count(rank), print_rounded(law.delivered(level), 5)});
  }
  return table.text();
}

void warn_of_too_few_rows(const Model& model, std::span<const double> levels, Terminal& terminal) {
  for (const double level : levels)
    if (const auto words = too_few_rows(model.law().rows(), level); !words.empty()) terminal.warn(words);
}

}  // namespace taut
