#include <taut/data/kinds.hpp>

#include <taut/data/csv_scanner.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

struct Occurrence {
  std::size_t code;
  Index cells = 0;
  Index first_row = 0;
};

// The categories of one column that occur in `rows`, the most frequent first.
std::vector<Occurrence> occurrences(const TableView& table, Index column, RowsView rows) {
  const std::size_t count = table.columns()[static_cast<std::size_t>(column)].categories.size();
  std::vector<Occurrence> found(count);
  for (std::size_t code = 0; code < count; ++code) found[code].code = code;
  for (const Index row : rows) {
    const double code = table(row, column);
    if (!(code < static_cast<double>(count))) continue;  // missing, or "other"
    Occurrence& own = found[static_cast<std::size_t>(code)];
    own.first_row = own.cells == 0 ? row : std::min(own.first_row, row);
    ++own.cells;
  }
  std::erase_if(found, [](const Occurrence& one) { return one.cells == 0; });
  std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.cells != b.cells ? a.cells > b.cells : a.first_row < b.first_row;
  });
  return found;
}

Column chosen(const TableView& table, Index column, RowsView rows) {
  const Column& from = table.columns()[static_cast<std::size_t>(column)];
  Column to{from.name, from.is_categorical() ? ColumnKind::number : from.kind};
  if (!from.is_categorical()) return to;
  bool all_numbers = true;
  for (const Occurrence& one : occurrences(table, column, rows)) {
    to.categories.push_back(from.categories[one.code]);
    all_numbers = all_numbers && cell_number(to.categories.back());
  }
  if (!to.categories.empty() && !(from.is_inferred && all_numbers))
    to.kind = from.kind;
  else
    to.categories.clear();
  return to;
}

}  // namespace

bool is_code(const Column& column, double cell) {
  return std::isnan(cell) || (cell >= 0 && cell <= column.other_code() && cell == std::floor(cell));
}

std::vector<Column> choose_kinds(const TableView& table, RowsView rows) {
  std::vector<Column> kinds;
  for (Index column = 0; column < std::ssize(table.columns()); ++column) kinds.push_back(chosen(table, column, rows));
  return kinds;
}

}  // namespace taut
