// Cells of text as numbers: $12.50, 63.7 %, 6,369,617, 3,5, yes, 2014-05-02. The format is inferred from the texts of a column
// and applies to all of its cells.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace taut {

// Reads a number in this format, or returns nothing. 63.7 % is read as 63.7; (12.50) is negative, as in accounting.
std::optional<double> read_number(std::string_view text, const TextFormat& format);
// 1 for true, yes, y, t, on and 1; 0 for false, no, n, f, off and 0, in upper or lower case; nothing for other texts.
std::optional<double> read_boolean(std::string_view text);
// Reads a text by the kind and format of its column, which is not categorical; nothing if that fails.
std::optional<double> read_text(std::string_view text, const Column& column);

// A text and the number of cells that hold it.
struct CountedText {
  std::string_view text;
  Index cells = 1;
};

// What is known about the decimal point before a column is examined.
struct DecimalHint {
  char told = 0;       // '.' or ',' declared by the user; 0: not declared
  char elsewhere = 0;  // '.' or ',' that other columns of the file certainly use; 0: unknown
  char delimiter = 0;  // of the file: with semicolons, numbers mostly have decimal commas
};

// The format that reads the most cells as numbers. Ties are decided by the hint: 1,234 is a fraction if the hint suggests decimal
// commas, otherwise a whole number; 1.234 is a whole number only if other columns have decimal commas. Cells such as 981 beside
// 1,392 suggest whole numbers.
TextFormat number_format(std::span<const CountedText> texts, const DecimalHint& hint);

// The decimal point that these texts certainly use; 0 if they are ambiguous.
char certain_decimal(std::span<const CountedText> texts);

// True if all texts belong to one pair of words: true and false, or yes and no, ...
bool are_booleans(std::span<const CountedText> texts);

// The number of cells that the column's kind and format can read.
Index readable_cells(std::span<const CountedText> texts, const Column& column);

// The order of day and month that reads the most cells as dates; nothing if two orders tie and disagree.
std::optional<DateOrder> date_order(std::span<const CountedText> texts);

// The last year of two digits that is in this century: 68, or the year of this version if years of the future would follow.
int last_short_year(std::span<const CountedText> texts, DateOrder order);

// "$1,234.5": an example number in this format, for messages; empty for plain numbers.
std::string example_of(const TextFormat& format);

// The key by which a category is looked up: true, True and TRUE are one category.
std::string category_key(std::string_view text);

}  // namespace taut
