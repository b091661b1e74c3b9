// What a column of a table is, and how its texts are read. Chosen from rows that may choose (see kinds.hpp), kept in the model
// file: new rows are read as the training rows were.
#pragma once

#include <string>
#include <vector>

namespace taut {

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
  std::vector<std::string> missing_words = {};  // that mean a missing cell here, besides the usual ones (missing_words.hpp)

  bool is_categorical() const { return kind == ColumnKind::category || kind == ColumnKind::ordered; }
  double other_code() const { return static_cast<double>(categories.size()); }
  bool operator==(const Column&) const = default;
};

}  // namespace taut
