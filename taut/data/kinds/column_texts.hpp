// What stands in the cells of columns: counts of texts, and what they say about decimal points.
#pragma once

#include <taut/data/kinds/text_format.hpp>
#include <taut/data/table_view.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace taut {

// What stands in the cells of one column, counted over some rows.

// The different texts of a column, the most frequent first, among equals the one that appears first; cells that the
// table already calls "other" have no text and are left out. Numbers count as what one would write.
struct ColumnTexts {
  std::vector<CountedText> texts;
  std::shared_ptr<const std::vector<std::string>> written = {};  // what the texts of a column of numbers refer to
  std::vector<Index> first_rows;                                 // of each text
  Index cells = 0;                                               // that hold a text
  Index missing = 0;
};
ColumnTexts column_texts(const TableView& table, Index column, RowsView rows);

// Of a column of numbers.
struct NumberFacts {
  Index cells = 0;  // that hold a number
  Index missing = 0;
  double lowest = missing_value, highest = missing_value;
  bool are_whole = true;
  bool count_rows = true;  // each is the row's position plus a constant
  Index different = 0;     // only counted where all are whole

 private:
  static constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();
};
NumberFacts number_facts(const std::vector<double>& values, RowsView rows);

// What the columns of a file say together about decimal points.

// Judged by `rows` alone. `told`: what the user says, or 0.
DecimalHint decimal_hint(const TableView& table, RowsView rows, char told);

// Cannot be read from digits whose point separates thousands, as 1.712 can: 0.25, 12.3456 and 1712.5.
bool is_no_thousands(double value);

}  // namespace taut
