// What the columns of a file say together about decimal points.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/data/text_format.hpp>

namespace taut {

// Judged by `rows` alone. `told`: what the user says, or 0.
DecimalHint decimal_hint(const TableView& table, RowsView rows, char told);

// Cannot be read from digits whose point separates thousands, as 1.712 can: 0.25, 12.3456 and 1712.5.
bool is_no_thousands(double value);

}  // namespace taut
