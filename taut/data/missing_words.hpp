// The words that mean a missing cell.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Empty, NA, N/A, #N/A, NaN, -NaN, null, None, - or ?, in any case, blanks around them allowed.
bool is_missing_cell(std::string_view text);

// For messages: "an empty cell, NA, ...".
inline constexpr std::string_view missing_cells_in_words = "an empty cell, NA, N/A, NaN, null, None, - or ?";

// These and further words of the user's choice, compared in the same way.
class MissingWords {
 public:
  MissingWords() = default;
  explicit MissingWords(const std::vector<std::string>& more);

  bool operator()(std::string_view text) const { return is_missing_cell(text) || (!more_.empty() && is_one_of_more(text)); }
  // Further words that are numbers, such as -999. In a column of numbers every cell of that value is missing, however it is
  // written; in a category 01 is another text than 1.
  const std::vector<double>& numbers() const { return numbers_; }
  bool is_number(double value) const { return std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end(); }

 private:
  bool is_one_of_more(std::string_view text) const;

  std::vector<std::string> more_;  // trimmed, lower case
  std::vector<double> numbers_;
};

}  // namespace taut
