// Names of the columns of a file whose header does not give every column a name of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Trimmed names as a header has them, made different from one another: a column without a name is called by its position,
// "column 3", and columns that share a name are called "x (column 2)" and "x (column 5)". So such a file can be read, and a
// name that could mean two columns is the name of none.
std::vector<std::string> unique_names(std::vector<std::string> header);

// Is this "column 3", the name of a column that has none? Columns of row numbers are often such.
bool is_positional_name(std::string_view name);

// The names "x (column 2)", "x (column 5)" among `names`, for a `name` that several columns of a file share.
std::vector<std::string> names_shared_as(std::string_view name, const std::vector<std::string>& names);

}  // namespace taut
