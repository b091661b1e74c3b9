// What the columns of a table are: numbers or categories, and which categories there are.
#pragma once

#include <taut/data/table_view.hpp>

#include <vector>

namespace taut {

// The columns of `table` judged by `rows` alone: what other rows hold changes nothing. Validity needs that, since calibration
// rows must be treated exactly like new rows.
//
// An inferred column is numeric if its cells in these rows are all numbers or missing. Any other categorical column has the
// categories that occur in these rows, the most frequent first, among equals the one that appears first. A column
// without a value in these rows is numeric: nothing is known about it.
std::vector<Column> choose_kinds(const TableView& table, RowsView rows);

// Can a cell of this categorical column be this: a code, the one for any other value, or NaN?
bool is_code(const Column& column, double cell);

}  // namespace taut
