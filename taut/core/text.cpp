#include <taut/core/text.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace taut {

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double parse_number_or_throw(std::string_view text, std::string_view what) {
  if (const auto value = parse_number(text)) return *value;
  throw UsageError(format_text("{}: expected a number, got '{}'", what, text));
}

std::string print_number(double value) {
  if (std::isnan(value)) return "nan";
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

std::string print_rounded(double value, int digits) {
  if (std::isnan(value)) return "-";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return {buffer, result.ptr};
}

std::string print_count(long long value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(long long count, std::string_view thing) {
  return print_count(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t stop = std::min(text.find(separator, start), text.size());
    parts.emplace_back(trim(text.substr(start, stop - start)));
    start = stop + 1;
  }
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_case(c);
  return result;
}

namespace {

// The number of typing errors: an extra letter, a missing letter, a wrong letter, or two swapped letters. Case is ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  const auto same = [&](std::size_t i, std::size_t j) { return lower_case(a[i - 1]) == lower_case(b[j - 1]); };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    const bool is_near = 3 * distance <= std::max(name.size(), candidate.size());
    if (is_near && distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t max_listed = 40;
  std::string text = format_text("unknown {} '{}'", what, name);
  if (const auto guess = nearest_name(name, candidates)) text += format_text(" (did you mean '{}'?)", *guess);
  text += "; allowed: " + join(candidates.first(std::min(candidates.size(), max_listed)), ", ");
  if (candidates.size() > max_listed) text += format_text(", ... ({} in all)", candidates.size());
  return text;
}

namespace {

// The number of code points, not of bytes: columns of a user's file may have any name.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::row(std::vector<std::string> cells, std::string remark) {
  rows_.push_back({std::move(cells), std::move(remark)});
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], width_of(row.cells[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line = " ";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = i < row.cells.size() ? row.cells[i] : "";
      const std::string blanks(widths[i] - width_of(cell), ' ');
      line += i == 0 ? " " + cell + blanks : "  " + blanks + cell;
    }
    if (!row.remark.empty()) line += "   " + row.remark;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string with_decimals(double value, int decimals) {
  if (std::isnan(value)) return "-";
  std::array<char, 400> digits{};  // the longest double has 309 digits before its decimal point
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

}  // namespace taut
