#include <taut/guard/alarm.hpp>

#include <taut/calibrate/rank.hpp>
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
    constexpr std::size_t most_shown = 5;
    std::vector<std::string> quoted;
    for (const auto& text : std::span(column.texts).first(std::min(most_shown, column.texts.size())))
      quoted.push_back(quoted_cell(text));
    const bool is_full = quoted.size() < column.texts.size();
    const std::string rows = counted(column.cells, "row") + (column.cells == 1 ? " has " : " have "),
                      texts = quoted.empty() ? "" : ": " + join(quoted, ", ") + (is_full ? ", ..." : "");
    alarms.push_back(
        {column.is_categorical ? AlarmKind::unseen_categories : AlarmKind::text_among_numbers,
         column.is_categorical
             ? rows + "categories of '" + column.column + "' that the fit has not seen" + texts +
                   "; the model knows nothing of them: see whether they are misspelt, or fit anew with rows that have them"
             : rows + "text in '" + column.column + "', a column of numbers" + texts +
                   "; these cells count as missing: mend them if they should be numbers",
         column.column,
         column.texts,
         {{"rows", static_cast<double>(column.cells)}}});
  }
  return alarms;
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
                         {"needed", static_cast<double>(least_calibration_rows(confidence, sure))}}});
  return alarms;
}

std::vector<Alarm> alarms_of_crossed(Index crossed, Index rows, const FitOptions& options) {
  if (crossed == 0) return {};
  return {{AlarmKind::crossed_predictions,
           print_count(crossed) + " of " + counted(rows, "row") + (crossed == 1 ? " has its" : " have their") +
               " lower prediction, '" + options.lower_prediction + "', above the upper one, '" + options.upper_prediction +
               "', and " + (crossed == 1 ? "is" : "are") +
               " taken in order; if that is most rows, the two columns are probably exchanged",
           "",
           {},
           {{"crossed", static_cast<double>(crossed)}, {"rows", static_cast<double>(rows)}}}};
}

Alarm alarm_of_no_overlap(const InputSummary& calibration, const std::vector<Column>& schema, const TableView& x,
                          const Matrix& made, double separation) {
  DriftCheck check(calibration, schema);
  check.add(x, made);
  constexpr std::size_t most = 5;
  std::vector<std::string> columns, words;
  for (const DriftFinding& found : check.findings()) {
    columns.push_back(found.column);
    if (words.size() < most) words.push_back((found.is_input ? "'" + found.column + "'" : found.column) + ": " + found.words);
  }
  return {AlarmKind::no_overlap,
          "the rows of " + x.source() +
              " are told apart from the calibration rows nearly always: such rows hardly occur among them, and no weights can "
              "stand for them" +
              (words.empty() ? "" : "; clearest are " + join(words, "; ")) +
              ". Where the level cannot be served intervals are the whole line, and sets hold every label; collect calibration "
              "rows like these",
          "",
          columns,
          {{"separation", separation}}};
}

std::vector<Alarm> alarms_of(const DriftCheck& check) {
  const auto found = check.findings();
  if (found.empty()) return {};
  constexpr std::size_t most = 5;
  std::vector<std::string> sentences, columns;
  for (const DriftFinding& shift : found) {
    if (sentences.size() < most)
      sentences.push_back((shift.is_input ? "'" + shift.column + "'" : shift.column) + ": " + shift.words);
    columns.push_back(shift.column);
  }
  if (found.size() > most) sentences.push_back("and " + counted(std::ssize(found) - std::ssize(sentences), "more column"));
  return {{AlarmKind::shift,
           check.rows_in_words() + (check.rows() == 1 ? " differs" : " differ") + " from the " + check.reference_in_words() +
               " by more than chance explains: " + join(sentences, "; ") +
               ". Coverage is not guaranteed here; 'taut calibrate' with fresh rows like these mends it, and where they have no "
               "targets yet 'taut calibrate' with --towards and these rows helps",
           "",
           columns,
           {{"rows", static_cast<double>(check.rows())},
            {"calibration_rows", static_cast<double>(check.reference_rows())},
            {"p_value", found.front().p_value}}}};
}

}  // namespace taut
