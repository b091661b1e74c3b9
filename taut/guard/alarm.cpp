#include <taut/guard/alarm.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table.hpp>

#include <algorithm>

namespace taut {

std::string_view Alarm::name() const {
  return std::find_if(alarm_kinds.begin(), alarm_kinds.end(), [this](const AlarmText& text) { return text.kind == kind; })->name;
}

std::vector<Alarm> alarms_of(const Mismatches& mismatches) {
  std::vector<Alarm> alarms;
  for (const ColumnMismatches& column : mismatches) {
    if (column.cells == 0) continue;
    constexpr std::size_t max_shown = 5;
    std::vector<std::string> quoted;
    for (const auto& text : std::span(column.texts).first(std::min(max_shown, column.texts.size())))
      quoted.push_back(quoted_cell(text));
    const bool is_full = quoted.size() < column.texts.size();
    const std::string rows = counted(column.cells, "row") + (column.cells == 1 ? " has" : " have"),
                      texts = quoted.empty() ? "" : ": " + join(quoted, ", ") + (is_full ? ", ..." : "");
    alarms.push_back(
        {column.is_categorical ? AlarmKind::unseen_categories : AlarmKind::text_among_numbers,
         column.is_categorical
             ? format_text(
                   "{} categories of '{}' that the fit has not seen{}; the model has learnt nothing about them: check their "
                   "spelling, or fit again with rows that have them",
                   rows, column.column, texts)
             : format_text("{} text in '{}', a column of numbers{}; these cells count as missing: correct them if they should be "
                           "numbers",
                           rows, column.column, texts),
         column.column,
         column.texts,
         {{"rows", static_cast<double>(column.cells)}}});
  }
  return alarms;
}

Alarm alarm_of_too_few_rows(std::string words, Index calibration_rows) {
  return {AlarmKind::too_few_rows, std::move(words), "", {}, {{"calibration_rows", static_cast<double>(calibration_rows)}}};
}

std::vector<Alarm> alarms_of_too_few_rows(Index calibration_rows, std::span<const double> confidences, double sure) {
  std::vector<Alarm> alarms;
  for (const double confidence : confidences)
    if (auto words = too_few_rows(calibration_rows, confidence, sure); !words.empty())
      alarms.push_back({AlarmKind::too_few_rows,
                        std::move(words),
                        "",
                        {},
                        {{"confidence", confidence},
                         {"calibration_rows", static_cast<double>(calibration_rows)},
                         {"needed", static_cast<double>(min_calibration_rows(confidence, sure))}}});
  return alarms;
}

Alarm alarm_of_infinite_answers(Index infinite, Index rows) {
  return {AlarmKind::too_few_rows,
          format_text("{} of {} {} an infinite answer: too few calibration rows count for them at these levels",
                      print_count(infinite), counted(rows, "row"), infinite == 1 ? "has" : "have"),
          "",
          {},
          {{"rows", static_cast<double>(infinite)}}};
}

std::vector<Alarm> alarms_of_crossed(Index crossed, Index rows, const FitOptions& options) {
  if (crossed == 0) return {};
  if (options.predicts_distribution())
    return {
        {AlarmKind::crossed_predictions,
         format_text(
             "{} of {} {} quantiles that fall from one level to a higher one; they are sorted. If that is most rows, "
             "levels were probably read wrongly: {}",
             print_count(crossed), counted(rows, "row"), crossed == 1 ? "has" : "have",
             join(std::span(options.quantile_columns).first(std::min<std::size_t>(20, options.quantile_columns.size())), ", ")),
         "",
         {},
         {{"crossed", static_cast<double>(crossed)}, {"rows", static_cast<double>(rows)}}}};
  return {{AlarmKind::crossed_predictions,
           format_text("{} of {} {} lower prediction, '{}', above the upper one, '{}'; the two are swapped. If that is most "
                       "rows, the two columns are probably exchanged",
                       print_count(crossed), counted(rows, "row"), crossed == 1 ? "has its" : "have their",
                       options.lower_prediction, options.upper_prediction),
           "",
           {},
           {{"crossed", static_cast<double>(crossed)}, {"rows", static_cast<double>(rows)}}}};
}

Alarm alarm_of_no_overlap(DriftCheck check, const TableView& x, const Matrix& made, double separation) {
  check.add(x, made);
  constexpr std::size_t maximum = 5;
  std::vector<std::string> columns, words;
  for (const DriftFinding& found : check.findings()) {
    columns.push_back(found.column);
    if (words.size() < maximum) words.push_back((found.is_input ? "'" + found.column + "'" : found.column) + ": " + found.words);
  }
  return {AlarmKind::no_overlap,
          format_text(
              "a classifier separates the rows of {} from the calibration rows almost perfectly: such rows hardly occur among "
              "them, and no weights can make up for that{}. Where the level cannot be reached, intervals are the whole line, "
              "and sets hold every label; collect calibration rows like these",
              x.source(), words.empty() ? "" : "; the clearest differences are " + join(words, "; ")),
          "",
          columns,
          {{"separation", separation}}};
}

std::vector<Alarm> alarms_of(const DriftCheck& check) {
  const auto found = check.findings();
  if (found.empty()) return {};
  constexpr std::size_t maximum = 5;
  std::vector<std::string> sentences, columns;
  for (const DriftFinding& shift : found) {
    if (sentences.size() < maximum)
      sentences.push_back((shift.is_input ? "'" + shift.column + "'" : shift.column) + ": " + shift.words);
    columns.push_back(shift.column);
  }
  if (found.size() > maximum) sentences.push_back("and " + counted(std::ssize(found) - std::ssize(sentences), "more column"));
  return {
      {AlarmKind::shift,
       format_text("{} {} from the {} by more than chance explains: {}. Coverage is not guaranteed here; 'taut calibrate' with "
                   "fresh rows like these restores it, and if they have no targets yet 'taut calibrate' with --towards and these "
                   "rows helps",
                   check.describe_rows(), check.rows() == 1 ? "differs" : "differ", check.describe_reference(),
                   join(sentences, "; ")),
       "",
       columns,
       {{"rows", static_cast<double>(check.rows())},
        {"calibration_rows", static_cast<double>(check.reference_rows())},
        {"p_value", found.front().p_value}}}};
}

}  // namespace taut
