#include <taut/core/text_table.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace taut {

namespace {

// Code points, not bytes: columns of a user's file may have any name.
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
  std::array<char, 400> digits{};  // the longest double has 309 digits in front of its decimal point
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

}  // namespace taut
