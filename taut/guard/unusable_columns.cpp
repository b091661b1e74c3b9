#include <taut/guard/empty_columns.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/chance.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

bool could_not_be_read(const std::string& column, const Mismatches& mismatches) {
  return std::any_of(mismatches.begin(), mismatches.end(),
                     [&](const ColumnMismatches& one) { return one.column == column && one.cells > 0; });
}

}  // namespace

void EmptyColumns::add(const TableView& x) {
  is_empty_.resize(x.columns().size(), true);
  rows_ += x.rows();
  for (std::size_t column = 0; column < is_empty_.size(); ++column)
    for (Index row = 0; is_empty_[column] && row < x.rows(); ++row)
      is_empty_[column] = std::isnan(x(row, static_cast<Index>(column)));
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

std::vector<Alarm> alarms_of_empty(const EmptyColumns& empty, const std::vector<Column>& schema,
                                   std::span<const AbsentCells> known, const Mismatches& mismatches) {
  if (empty.rows() == 0) return {};
  const double rate = EmptyColumns::false_alarms / static_cast<double>(std::max<std::size_t>(1, schema.size()));
  std::vector<std::string> names, quoted;
  Index rows_known = 0, absent = 0;
  for (std::size_t i = 0; i < std::min(schema.size(), empty.is_empty().size()); ++i) {
    const Index m = empty.rows(), n = known[i].rows, k = known[i].absent;
    if (!empty.is_empty()[i] || n == 0 || could_not_be_read(schema[i].name, mismatches)) continue;
    if (hypergeometric_tail(m, n + m, k + m, m, rate) > rate) continue;
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
           empty.rows() == 1 ? "the only row" : "all " + counted(empty.rows(), "row"), counted(rows_known, "row"), lacking,
           one ? "it" : "them"),
       one ? names.front() : "",
       names,
       {{"rows", static_cast<double>(empty.rows())}, {"columns", static_cast<double>(names.size())}}}};
}

}  // namespace taut
