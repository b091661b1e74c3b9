// Texts with a numeric order: ranges and open ends such as 0-4, 5-9, 10+, <5, 18 to 24, under 18, 65 and over.
#pragma once

#include <taut/data/kinds/column_texts.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct TextRange {
  double low, high;        // infinite at an open end
  bool is_number = false;  // a plain number: both ends are equal

  bool operator==(const TextRange&) const = default;
};

// The range that a text names, or nothing. The ends of a range ascend, so that 2014-05 and 3-1 are none.
std::optional<TextRange> read_range(std::string_view text);

// The texts of the column in ascending order, if at least 95 % of the cells are ranges or numbers that do not overlap, at least 2
// % of them ranges, and not more than 12 of the texts plain numbers; otherwise nothing.
std::optional<std::vector<std::string>> ordered_ranges(const ColumnTexts& texts);

}  // namespace taut
