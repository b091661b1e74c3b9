#include <cli/output.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace taut {

void write_result(std::string_view text) {
  OutputFile file("-");
  file.write(text);
  file.commit();
}

void check_output(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  // Opening and closing a pipe would end its reader.
  if (std::filesystem::exists(status) && std::filesystem::is_other(status)) return;
  if (std::filesystem::is_character_file(status)) return;
  OutputFile file(path);
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    std::error_code ignored;
    if (input != "-" && path != "-" && std::filesystem::is_regular_file(input, ignored) &&
        std::filesystem::equivalent(path, input, ignored))
      throw UsageError("the output '" + path + "' is one of the inputs and would replace it; name another file");
  }
  check_output(path);
}

namespace {

// The files need not exist. Devices, /dev/null say, take any number of results.
bool are_one_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (std::filesystem::is_character_file(a, ignored)) return false;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return a == b || place(a) == place(b) || std::filesystem::equivalent(a, b, ignored);
}

}  // namespace

void check_outputs_differ(const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[i].empty() && !outputs[j].empty() && are_one_file(outputs[i], outputs[j]))
        throw UsageError("two results would go to '" + outputs[i] + "', and one would replace the other; name a file for each");
}

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
