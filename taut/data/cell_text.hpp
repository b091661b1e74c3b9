// Cells as texts.
#pragma once

#include <taut/data/table_view.hpp>

#include <string>
#include <vector>

namespace taut {

// A cell that is no text as one would write it.
std::string cell_text(double value, ColumnKind kind);

// The different texts of these rows that `known`, a categorical column of the same name, does not list, in alphabetical order. A
// cell that came as "other" has no text and is left out.
std::vector<std::string> unlisted_texts(const TableView& table, const Column& known, RowsView rows);

}  // namespace taut
