#include <experiments/markdown.hpp>

#include <taut/core/text.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace taut {

double value_named(const NamedValues& values, std::string_view name) {
  for (const auto& [key, value] : values)
    if (key == name) return value;
  return missing;
}

Summary summarise(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value;
  mean /= count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : missing;
  return {mean, deviation, deviation / std::sqrt(count)};
}

namespace {

// The width in code points, not in bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
  return text;
}

}  // namespace

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(escaped(row[i])));
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = i < rows[r].size() ? escaped(rows[r][i]) : "";
      text += " " + cell + std::string(widths[i] - width_of(cell), ' ') + " |";
    }
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (const std::size_t width : widths) text += std::string(width + 2, '-') + "|";
    text += "\n";
  }
  return text;
}

std::string rounded(double value, int decimals) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

std::string with_deviation(const Summary& summary, int decimals) {
  return rounded(summary.mean, decimals) + (std::isnan(summary.deviation) ? "" : " ± " + rounded(summary.deviation, decimals));
}

std::string signed_number(double value, int decimals) { return (value > 0 ? "+" : "") + rounded(value, decimals); }

std::string today() {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  std::array<char, 16> text{};
  const int length = std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                                   static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace taut
