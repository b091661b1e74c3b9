// What a column of a table is: its name, its kind, and the words that mean a missing cell.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The words that mean a missing cell.

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

// What a column of a table is, and how its texts are read. Chosen from rows that may choose (see kinds.hpp), kept in the model
// file: new rows are read as the training rows were.

enum class ColumnKind {
  number,
  boolean,   // true and false, yes and no, ...: cells are 1 and 0
  date,      // a day or a moment: cells are seconds since 1970-01-01 (UTC)
  category,  // cells are codes of texts
  ordered    // the same, and the codes are in a meaningful order
};

// Which of the numbers in 03/04/2025 is the day.
enum class DateOrder { year_first, day_first, month_first };

// How texts become numbers, in columns of numbers and of dates. Everything here but a percent sign is optional in a cell: with
// thousands ',' both 1,234 and 1234 are read.
struct TextFormat {
  char decimal = '.';
  char thousands = 0;     // between groups of three digits; 0: nothing; ' ' also stands for the narrow and no-break spaces
  std::string unit = {};  // a sign before or after the number that is left out: "$", "€", "%"
  DateOrder date_order = DateOrder::year_first;

  bool operator==(const TextFormat&) const = default;
};

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  // Of a categorical column: the code i means categories[i], and other_code() any text that is none of them.
  std::vector<std::string> categories = {};
  // Categorical only because some cell holds a text: the training rows decide what the column is (judge_columns). A column that
  // the user declared to be categorical stays so, even if all its texts are numbers.
  bool is_inferred = false;
  // Of a column of numbers: a text is an Error, not a missing cell (the target, given predictions).
  bool is_strict = false;
  TextFormat format = {};
  std::vector<std::string> missing_words = {};  // that mean a missing cell here, besides the usual ones above

  bool is_categorical() const { return kind == ColumnKind::category || kind == ColumnKind::ordered; }
  double other_code() const { return static_cast<double>(categories.size()); }
  bool operator==(const Column&) const = default;
};

// Names of the columns of a file whose header does not give every column a name of its own.

// Trimmed names as a header has them, made different from one another: a column without a name is called by its position,
// "column 3", and columns that share a name are called "x (column 2)" and "x (column 5)". So such a file can be read, and a
// name that could mean two columns is the name of none.
std::vector<std::string> unique_names(std::vector<std::string> header);

// Is this "column 3", the name of a column that has none? Columns of row numbers are often such.
bool is_positional_name(std::string_view name);

// The names "x (column 2)", "x (column 5)" among `names`, for a `name` that several columns of a file share.
std::vector<std::string> names_shared_as(std::string_view name, const std::vector<std::string>& names);

}  // namespace taut
