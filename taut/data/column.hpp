// A column of a table: its name, its kind, its text format, and the words that mean a missing cell.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The words that always mean a missing cell, compared in any case and without the blanks around them.
enum class MissingSet {
  everywhere,     // empty, NA, N/A, #N/A, NaN, -NaN, null, - or ?
  among_numbers,  // these and None, ., .., *, -- or a dash: in columns of numbers, dates and booleans. Elsewhere they are values
  former          // of model files without rules of reading: those of `everywhere` and None, in all columns
};
bool is_missing_cell(std::string_view text, MissingSet set = MissingSet::everywhere);

// For messages: "an empty cell, NA, ...".
inline constexpr std::string_view missing_cells_description = "an empty cell, NA, N/A, NaN, null, None, ., *, - or ?";

// The text without the blanks around it, no-break spaces included.
std::string_view trim_cell(std::string_view text);

// The words above and further words of the user's choice, compared in the same way.
class MissingWords {
 public:
  MissingWords() = default;
  explicit MissingWords(const std::vector<std::string>& more);

  bool operator()(std::string_view text, MissingSet set = MissingSet::everywhere) const {
    return is_missing_cell(text, set) || (!more_.empty() && is_one_of_more(text));
  }
  // The further words that are numbers, such as -999. In a column of numbers every cell of that value is missing, however it is
  // written. Categories are compared as texts: 01 differs from 1.
  const std::vector<double>& numbers() const { return numbers_; }
  bool is_number(double value) const { return std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end(); }

 private:
  bool is_one_of_more(std::string_view text) const;

  std::vector<std::string> more_;  // trimmed, lower case
  std::vector<double> numbers_;
};

// The kind of a column. It is inferred from training rows (see kinds.hpp) and kept in the model file, so that new rows are read
// like training rows.
enum class ColumnKind {
  number,
  boolean,   // true and false, yes and no, ...: cells are 1 and 0
  date,      // a day or a moment: cells are seconds since 1970-01-01 (UTC)
  category,  // cells are codes of texts
  ordered    // a category whose codes are in a meaningful order
};

// Which of the numbers in 03/04/2025 is the day.
enum class DateOrder { year_first, day_first, month_first };

// How texts become numbers in columns of numbers and dates. Except for a percent sign, all of this is optional in a cell: with
// thousands ',' both 1,234 and 1234 are read.
struct TextFormat {
  char decimal = '.';
  char thousands = 0;     // between groups of three digits; 0: none; ' ' also matches narrow and no-break spaces
  std::string unit = {};  // before or after the number, and ignored: "$", "€", "%"
  DateOrder date_order = DateOrder::year_first;
  int last_short_year = posix_short_year;  // years of two digits up to this one are in this century, later ones in the last
  bool is_duration = false;                // minutes and seconds, such as 3:59.4 and 1:02:33, as a number of seconds

  static constexpr int posix_short_year = 68;

  bool operator==(const TextFormat&) const = default;
};

// The rules by which texts are read. A model keeps those of the version that fitted it.
enum class ReadingRules {
  former,  // of model files that name none: MissingSet::former, blanks around a category count, no periods such as 1998 Q1
  current
};

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  // Of a categorical column: code i means categories[i], and other_code() means any other text.
  std::vector<std::string> categories = {};
  // The column is categorical only because some cell holds a text; infer_columns then infers its kind from the training rows. A
  // column that the user declared categorical stays so, even if all its texts are numbers.
  bool is_inferred = false;
  // Of a column of numbers (the target, given predictions): a text is an Error, not a missing cell.
  bool is_strict = false;
  TextFormat format = {};
  std::vector<std::string> missing_words = {};  // further words that mean a missing cell in this column
  ReadingRules reading = ReadingRules::current;
  bool folds_case = false;  // of a categorical column: texts that differ only in case are one category

  bool is_categorical() const { return kind == ColumnKind::category || kind == ColumnKind::ordered; }
  double other_code() const { return static_cast<double>(categories.size()); }
  MissingSet missing_set() const {
    if (reading == ReadingRules::former) return MissingSet::former;
    return is_categorical() ? MissingSet::everywhere : MissingSet::among_numbers;
  }
  bool operator==(const Column&) const = default;
};

// Makes the trimmed names of a header unique. A column without a name is named by its position, "column 3"; columns that share a
// name become "x (column 2)" and "x (column 5)". Such a file can then be read, and an ambiguous name matches no column.
std::vector<std::string> unique_names(std::vector<std::string> header);

// "column3": the name of the third column of a file without a header.
std::string name_without_header(std::size_t position);
bool is_name_without_header(std::string_view name);

// True for "column 3", the name given to a column without one. Such columns often hold row numbers.
bool is_positional_name(std::string_view name);

// The names "x (column 2)", "x (column 5)" among `names`, for a `name` that several columns of a file share.
std::vector<std::string> columns_sharing_name(std::string_view name, const std::vector<std::string>& names);

}  // namespace taut
