#include <taut/guard/unusable_columns.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/data/reading.hpp>
#include <taut/metric/chance.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void UsableColumns::add(const TableView& x) {
  is_usable_.resize(x.columns().size(), false);
  rows_ += x.rows();
  for (std::size_t column = 0; column < is_usable_.size(); ++column) {
    const Column& about = x.columns()[column];
    for (Index row = 0; !is_usable_[column] && row < x.rows(); ++row) {
      const double cell = x(row, static_cast<Index>(column));
      is_usable_[column] = !std::isnan(cell) && !(about.is_categorical() && cell == about.other_code());
    }
  }
}

AbsentCells& AbsentCells::operator+=(const AbsentCells& other) {
  rows += other.rows;
  absent += other.absent;
  return *this;
}

AbsentCells absent_cells(const Column& column, const std::vector<Column>& schema, const InputSummary& calibration,
                         const TrainingSample& training) {
  const auto at = find_column(schema, column.name);
  if (!at) return {};
  if (calibration.rows() > 0) return {calibration.rows(), calibration.columns()[static_cast<std::size_t>(*at)].absent};
  if (!training.is_known()) return {};
  return {training.inputs().rows(), static_cast<Index>(training.inputs().col(*at).array().isNaN().count())};
}

namespace {

const ColumnMismatches* mismatches_in(const std::string& column, const Mismatches& mismatches) {
  const auto found = std::find_if(mismatches.begin(), mismatches.end(),
                                  [&](const ColumnMismatches& one) { return one.column == column && one.cells > 0; });
  return found == mismatches.end() ? nullptr : &*found;
}

std::string quoted_texts(const std::vector<std::string>& texts, std::size_t maximum) {
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(maximum, texts.size()); ++i) quoted.push_back(quoted_cell(texts[i]));
  return join(quoted, ", ") + (texts.size() > maximum ? ", ..." : "");
}

bool all_readable(const std::vector<std::string>& texts, const Column& column) {
  return !texts.empty() &&
         std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return read_text(text, column).has_value(); });
}

// What the model expects in a column, and how to make the cells readable if that is known.
std::string expected_of(const Column& column, const std::vector<std::string>& texts) {
  if (column.kind == ColumnKind::boolean) return "the model was trained on two words such as yes and no, or 1 and 0";
  if (column.kind == ColumnKind::date) {
    const std::string order = column.format.date_order == DateOrder::day_first     ? "the day before the month"
                              : column.format.date_order == DateOrder::month_first ? "the month before the day"
                                                                                   : "the year first";
    return format_text("the model was trained on dates with {}; write them so, or as 2014-05-31", order);
  }
  const char decimal = column.format.decimal, other = decimal == '.' ? ',' : '.';
  const std::string point = decimal == '.' ? "points" : "commas";
  if (all_readable(texts, with_decimal(column, other)))
    return format_text("the model was trained on numbers with decimal {}; --decimal {} reads these", point,
                       std::string(1, other));
  const bool has_digits = std::any_of(
      texts.begin(), texts.end(), [](const std::string& text) { return text.find_first_of("0123456789") != std::string::npos; });
  if (!has_digits && texts.size() == 1)
    return format_text("the model was trained on numbers; if {} means a missing cell, --na '{}' says so",
                       quoted_cell(texts.front()), texts.front());
  const std::string example = example_of(column.format);
  return format_text("the model was trained on numbers{}; write them so",
                     example.empty() ? " such as 1234.5" : " such as " + example);
}

Alarm alarm_of_unusable(const Column& column, const ColumnMismatches& found) {
  constexpr std::size_t max_shown = 3;
  // A table that was read before may have cells whose texts are not known.
  const std::string shown = found.texts.empty() ? "" : " such as " + quoted_texts(found.texts, max_shown);
  const std::string cells = print_count(found.cells);
  const std::string what =
      column.is_categorical()
          ? format_text(
                "all {} cells are categories that the fit has not seen{}, and the model knows {}; check whether the "
                "categories were renamed or the columns exchanged",
                cells, shown.empty() ? "" : "," + shown, quoted_texts(column.categories, max_shown))
          : format_text("all {} cells are texts{}, which count as missing; {}", cells, shown, expected_of(column, found.texts));
  return {AlarmKind::unusable_columns,
          format_text("the column '{}' cannot be used: {}. Coverage is not guaranteed without it", column.name, what),
          column.name,
          found.texts,
          {{"rows", static_cast<double>(found.cells)}}};
}

std::vector<Alarm> alarms_of_empty(const UsableColumns& usable, const std::vector<Column>& schema,
                                   std::span<const AbsentCells> known, const Mismatches& mismatches) {
  if (usable.rows() == 0) return {};
  const double rate = UsableColumns::false_alarms / static_cast<double>(std::max<std::size_t>(1, schema.size()));
  std::vector<std::string> names, quoted;
  Index rows_known = 0, absent = 0;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const Index m = usable.rows(), n = known[i].rows, k = known[i].absent;
    if (usable.is_usable(i) || n == 0 || mismatches_in(schema[i].name, mismatches) != nullptr) continue;
    const bool is_certain = k == 0 && m > 1;
    if (!is_certain && hypergeometric_tail(m, n + m, k + m, m, rate) > rate) continue;
    names.push_back(schema[i].name);
    rows_known = n;
    absent = std::max(absent, k);
  }
  if (names.empty()) return {};
  constexpr std::size_t maximum = 5;
  for (std::size_t i = 0; i < std::min(maximum, names.size()); ++i) quoted.push_back("'" + names[i] + "'");
  const bool one = names.size() == 1;
  const std::string lacking =
      absent == 0 ? "none lacks" : (one ? "" : "at most ") + print_count(absent) + (absent == 1 ? " lacks" : " lack");
  return {
      {AlarmKind::empty_columns,
       format_text(
           "the {} {}{} {} empty in {}; of {} that the model knows {} {}. Coverage is not guaranteed here: check whether a "
           "column was renamed or lost in a join; if rows like these are to be predicted, run 'taut calibrate' with such rows",
           one ? "column" : "columns", join(quoted, ", "), names.size() > maximum ? ", ..." : "", one ? "is" : "are",
           usable.rows() == 1 ? "the only row" : "all " + counted(usable.rows(), "row"), counted(rows_known, "row"), lacking,
           one ? "it" : "them"),
       one ? names.front() : "",
       names,
       {{"rows", static_cast<double>(usable.rows())}, {"columns", static_cast<double>(names.size())}}}};
}

}  // namespace

std::vector<Alarm> alarms_of_columns(const UsableColumns& usable, const std::vector<Column>& schema,
                                     std::span<const AbsentCells> known, const Mismatches& mismatches) {
  std::vector<Alarm> alarms;
  for (Alarm& alarm : alarms_of(mismatches)) {
    const auto at = find_column(schema, alarm.column);
    const ColumnMismatches* const found = mismatches_in(alarm.column, mismatches);
    // One cell is said plainly: a single row may have a new category.
    const bool is_unusable = at && found != nullptr && found->cells > 1 && !usable.is_usable(static_cast<std::size_t>(*at));
    alarms.push_back(is_unusable ? alarm_of_unusable(schema[static_cast<std::size_t>(*at)], *found) : std::move(alarm));
  }
  for (Alarm& alarm : alarms_of_empty(usable, schema, known, mismatches)) alarms.push_back(std::move(alarm));
  return alarms;
}

}  // namespace taut
