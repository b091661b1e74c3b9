// The words that mean a missing cell.
#pragma once

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
  // Further words that are numbers, such as -999: a number that is equal to one of them has to be compared as a text.
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  bool is_one_of_more(std::string_view text) const;

  std::vector<std::string> more_;  // trimmed, lower case
  std::vector<double> numbers_;
};

}  // namespace taut
