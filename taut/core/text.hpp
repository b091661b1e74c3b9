// Words and numbers: locale-independent parsing and printing, tables of them, and suggestions for misspelt names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The whole of `text` as a number ("inf" and "nan" included), or nothing.
std::optional<double> parse_number(std::string_view text);

// parse_number, or a UsageError that names `what` ("--split", "power:P").
double parse_number_or_throw(std::string_view text, std::string_view what);

// The shortest text that reads back as exactly the same double; NaN, whatever its sign, is "nan".
std::string print_number(double value);

// For words to a reader: `digits` significant digits, no trailing zeros; "-" where there is no number.
std::string print_rounded(double value, int digits = 4);

// 12345678 -> "12,345,678".
std::string print_count(long long value);

// "1 row", "2,000 rows": a thing in the singular, counted.
std::string counted(long long count, std::string_view thing);

std::vector<std::string> split_text(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
// Of the letters A to Z, whatever the locale.
char lower_case(char c);
std::string lower_case(std::string_view text);

// The candidate a typist most likely meant, or nothing when none is near: at most one edit in three letters of the longer name.
// A change of case is no edit.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

// "unknown transform 'expp' (did you mean 'exp'?); allowed: fixed, erc, ..."
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> candidates);

// The first column stands at the left margin, the others line up at their right ends.
class TextTable {
 public:
  void row(std::vector<std::string> cells, std::string remark = "");  // the remark stands behind the last column
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string remark;
  };
  std::vector<Row> rows_;
};

// 0.9 with three decimals is "0.900": numbers of one column line up. "-" where there is no number.
std::string with_decimals(double value, int decimals);

}  // namespace taut
