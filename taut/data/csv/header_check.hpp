// Whether the first line of a file names the columns or is already a row.
#pragma once

#include <string>
#include <vector>

namespace taut {

// True if at least half of the fields of the first line look like the cells below them: a number in the range of the column, or a
// text that occurs in it. `below`: the fields of some further lines.
bool looks_like_data(const std::vector<std::string>& first, const std::vector<std::vector<std::string>>& below);

// True if all numbers among these fields are increasing years, or at least three numbers with equal steps: 2019, 2020 or 0, 1, 2
// are names of columns.
bool are_numbers_as_names(const std::vector<std::string>& fields);

}  // namespace taut
