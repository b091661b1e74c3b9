#include <taut/data/decimal_hint.hpp>

#include <taut/data/column_texts.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

bool is_no_thousands(double value) {
  const double thousandths = value * 1000;
  const bool has_more_digits = std::abs(thousandths - std::round(thousandths)) > 1e-6;
  return std::isfinite(thousandths) && value != std::floor(value) &&
         (has_more_digits || std::abs(value) < 1 || std::abs(value) > 1000);
}

DecimalHint decimal_hint(const TableView& table, RowsView rows, char told) {
  DecimalHint hint{told, 0, table.delimiter()};
  if (table.delimiter() == 0) return hint;  // numbers of a columnar file are numbers
  Index points = 0, commas = 0;
  for (Index column = 0; column < std::ssize(table.columns()); ++column) {
    const Column& about = table.columns()[static_cast<std::size_t>(column)];
    if (about.is_categorical()) {
      const ColumnTexts texts = column_texts(table, column, rows);
      if (2 * readable_cells(texts.texts, {"", ColumnKind::number, {}, false, false, number_format(texts.texts, hint)}) <
          texts.cells)
        continue;
      const char certain = certain_decimal(texts.texts);
      points += certain == '.' ? 1 : 0;
      commas += certain == ',' ? 1 : 0;
    } else {
      const bool is_certain =
          std::any_of(rows.begin(), rows.end(), [&](Index row) { return is_no_thousands(table(row, column)); });
      points += is_certain ? 1 : 0;
    }
  }
  if ((points > 0) != (commas > 0)) hint.elsewhere = points > 0 ? '.' : ',';
  return hint;
}

}  // namespace taut
