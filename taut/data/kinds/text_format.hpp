// Cells of text as numbers: $12.50, 63.7 %, 6,369,617, 3,5, yes, 2014-05-02. Which format a column has is found from its texts,
// and holds for the whole column or not at all.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace taut {

// A number as the format writes it. A percentage keeps the number that is written; (12.50) is negative, as accountants have it.
std::optional<double> read_number(std::string_view text, const TextFormat& format);
// true, yes, y, t, on and 1; false, no, n, f, off and 0; in any case.
std::optional<double> read_boolean(std::string_view text);
// A text of a column that is not categorical, by its kind and format.
std::optional<double> read_text(std::string_view text, const Column& column);

// A text and in how many cells it stands.
struct CountedText {
  std::string_view text;
  Index cells = 1;
};

// What is known of decimal points before a column is looked at.
struct DecimalHint {
  char told = 0;       // '.' or ',': by the user
  char elsewhere = 0;  // '.' or ',': other columns of the file leave no choice
  char delimiter = 0;  // of the file: one that separates its cells by semicolons mostly has commas in its numbers
};

// The format in which most of these cells are numbers. Where several read as many, 1,234 is a fraction by the hint, else a whole
// number; and 1.234 is a whole number only if other columns have decimal commas. Cells such as 981 beside 1,392 speak for whole
// numbers.
TextFormat number_format(std::span<const CountedText> texts, const DecimalHint& hint);

// The decimal point that these texts leave no choice about; 0: they do.
char certain_decimal(std::span<const CountedText> texts);

// Whether the cells are true and false, or yes and no, ...: all of one pair.
bool are_booleans(std::span<const CountedText> texts);

// How many cells the column's kind and format can read.
Index readable_cells(std::span<const CountedText> texts, const Column& column);

// The order of day and month in which most of these cells are dates; nothing where several orders read as many cells and
// disagree.
std::optional<DateOrder> date_order(std::span<const CountedText> texts);

// "$1,234.5": one number as the format writes it, for messages; empty for plain numbers.
std::string example_of(const TextFormat& format);

// What a text of a category is looked up by: true, True and TRUE are one category.
std::string category_key(std::string_view text);

}  // namespace taut
