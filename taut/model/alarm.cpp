#include <taut/model/alarm.hpp>

#include <taut/core/text.hpp>
#include <taut/data/table.hpp>

#include <algorithm>

namespace taut {

std::string_view Alarm::name() const {
  return std::find_if(alarm_kinds.begin(), alarm_kinds.end(), [this](const AlarmText& text) { return text.kind == kind; })->name;
}

std::vector<Alarm> alarms_of(const UnseenCategories& unseen) {
  std::vector<Alarm> alarms;
  for (const auto& of_column : unseen.columns()) {
    std::vector<std::string> names;
    for (const auto& name : of_column.names) names.push_back(quoted_cell(name));
    const bool is_full = names.size() == UnseenCategories::most_names;
    alarms.push_back(
        {AlarmKind::unseen_categories,
         counted(of_column.rows, "row") + (of_column.rows == 1 ? " has" : " have") + " categories of '" + of_column.column +
             "' that the fit has not seen: " + join(names, ", ") + (is_full ? ", ..." : "") +
             "; the model knows nothing of them: see whether they are misspelt, or fit anew with rows that have them",
         of_column.column,
         of_column.names,
         {{"rows", static_cast<double>(of_column.rows)}}});
  }
  return alarms;
}

std::vector<Alarm> alarms_of(const ShiftCheck& check, Index calibration_rows) {
  const auto found = check.findings();
  if (found.empty()) return {};
  constexpr std::size_t most = 5;
  std::vector<std::string> sentences, columns;
  for (const Shift& shift : found) {
    if (sentences.size() < most)
      sentences.push_back((shift.is_input ? "'" + shift.column + "'" : shift.column) + ": " + shift.words);
    columns.push_back(shift.column);
  }
  if (found.size() > most) sentences.push_back("and " + counted(std::ssize(found) - std::ssize(sentences), "more column"));
  return {{AlarmKind::shift,
           counted(check.rows(), "row") + (check.rows() == 1 ? " differs" : " differ") + " from the " +
               counted(calibration_rows, "calibration row") + " by more than chance explains: " + join(sentences, "; ") +
               ". Coverage is not guaranteed here; 'taut calibrate' with fresh rows like these mends it",
           "",
           columns,
           {{"rows", static_cast<double>(check.rows())},
            {"calibration_rows", static_cast<double>(calibration_rows)},
            {"p_value", found.front().p_value}}}};
}

}  // namespace taut
