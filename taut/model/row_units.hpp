// The units that splits of a table must respect: whole groups with --keep-together, the order of time with --in-order.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/options.hpp>

#include <vector>

namespace taut {

// One entry for each group of --keep-together, in the order of their values, else one for each row; with --order-by rows are in the
// order of their times. Unknown columns are Errors. `rows` are positions in the table.
std::vector<Rows> row_units(const TableView& table, Rows rows, const FitOptions& options, const ExecutionContext& context);

// All rows of some units, unit after unit.
Rows rows_of_units(const std::vector<Rows>& units, RowsView chosen);

}  // namespace taut
