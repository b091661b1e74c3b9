// Locale-independent parsing and printing of numbers, tables of text, and suggestions for misspelt names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The number that `text` consists of ("inf" and "nan" included), or nothing if it is not a number.
std::optional<double> parse_number(std::string_view text);

// The same, but throws a UsageError that names `what` ("--split", "power:P") if `text` is not a number.
double parse_number_or_throw(std::string_view text, std::string_view what);

// The shortest text that reads back as exactly the same double; NaN, whatever its sign, is "nan".
std::string print_number(double value);

// For messages: `digits` significant digits without trailing zeros; NaN is "-".
std::string print_rounded(double value, int digits = 4);

// 12345678 -> "12,345,678".
std::string print_count(long long value);

// "1 row", "2,000 rows". `thing` is a noun in the singular.
std::string counted(long long count, std::string_view thing);

std::vector<std::string> split_text(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
// Changes only the letters A to Z, in any locale.
char lower_case(char c);
std::string lower_case(std::string_view text);

// The candidate with the fewest typing errors, or nothing if none is near. Near means at most one edit per three letters of the
// longer name. Case is ignored.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

// "unknown transform 'expp' (did you mean 'exp'?); allowed: fixed, erc, ..."
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> candidates);

// A table as text. The first column is aligned left, the others right.
class TextTable {
 public:
  void row(std::vector<std::string> cells, std::string remark = "");  // the remark follows the last column
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string remark;
  };
  std::vector<Row> rows_;
};

// 0.9 with three decimals is "0.900", so that the numbers of a column line up; NaN is "-".
std::string with_decimals(double value, int decimals);

}  // namespace taut
