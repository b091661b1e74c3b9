#include <taut/data/cell_text.hpp>

#include <taut/core/text.hpp>
#include <taut/data/date_text.hpp>
#include <taut/data/text_format.hpp>

#include <set>

namespace taut {

std::string cell_text(double value, ColumnKind kind) {
  if (kind == ColumnKind::date) return print_date(value);
  if (kind == ColumnKind::boolean) return value != 0 ? "true" : "false";
  return print_number(value);
}

std::vector<std::string> unlisted_texts(const TableView& table, const Column& known, RowsView rows) {
  const Index column = table.require(known.name);
  const Column& own = table.columns()[static_cast<std::size_t>(column)];
  const TableView read = table.matched({known});
  std::set<double> seen;
  std::set<std::string> texts;
  for (const Index row : rows) {
    const double value = table(row, column);
    if (read(row, 0) != known.other_code() || !seen.insert(value).second) continue;
    if (!own.is_categorical())
      texts.insert(cell_text(value, own.kind));
    else if (value < own.other_code())
      texts.insert(category_key(own.categories[static_cast<std::size_t>(value)]));
  }
  return {texts.begin(), texts.end()};
}

}  // namespace taut
