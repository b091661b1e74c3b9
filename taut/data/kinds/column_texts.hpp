// The texts and numbers in the cells of a column, counted, and the decimal point that a file uses.
#pragma once

#include <taut/data/kinds/text_format.hpp>
#include <taut/data/table_view.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace taut {

// The different texts of a column in some rows, without the blanks around them. The most frequent text comes first; ties are in
// order of appearance. Cells with the code "other" have no text and are left out. A number counts as the text that print_number
// gives.
struct ColumnTexts {
  std::vector<CountedText> texts;
  std::shared_ptr<const std::vector<std::string>> written = {};  // owns the texts of a column of numbers
  std::vector<Index> first_rows;                                 // for each text, the first row that holds it
  Index cells = 0;                                               // number of cells that hold a text
  Index missing = 0;
};
ColumnTexts column_texts(const TableView& table, Index column, RowsView rows);

// Statistics of a column of numbers.
struct NumberFacts {
  Index cells = 0;  // number of cells that hold a number
  Index missing = 0;
  double lowest = missing_value, highest = missing_value;
  bool are_whole = true;
  bool are_row_numbers = true;  // each value is the row's position plus a constant
  Index different = 0;          // only counted if all values are whole numbers

 private:
  static constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();
};
NumberFacts number_facts(const std::vector<double>& values, RowsView rows);

// The decimal point that all columns of a file suggest together, from `rows` alone. `declared`: the user's choice, or 0.
DecimalHint decimal_hint(const TableView& table, RowsView rows, char declared);

// True if the point in this number cannot separate thousands: 0.25, 12.3456 and 1712.5. False for 1.712.
bool point_is_decimal(double value);

}  // namespace taut
