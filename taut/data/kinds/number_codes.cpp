#include <taut/data/kinds/number_codes.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <cmath>
#include <cstdint>

namespace taut {

namespace {

constexpr double max_exact_whole = 0x1p53;

bool is_shortest(const std::string& text, double value) {
  return text == category_of_number(value) || text == print_number(value);  // the latter in files of version 0.2
}

}  // namespace

std::string category_of_number(double value) {
  if (value != std::floor(value) || std::abs(value) > max_exact_whole) return print_number(value);
  return std::to_string(static_cast<std::int64_t>(value));
}

NumberCodes::NumberCodes(const std::vector<std::string>& categories) : are_plain_(!categories.empty()) {
  for (std::size_t code = 0; code < categories.size(); ++code) {
    const auto value = cell_number(categories[code]);
    if (value) codes_.try_emplace(*value, static_cast<double>(code));
    are_plain_ = are_plain_ && value && *value == std::floor(*value) && is_shortest(categories[code], *value);
  }
}

std::optional<double> NumberCodes::of_value(double value) const {
  const auto found = codes_.find(value);
  return found == codes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> NumberCodes::of_text(std::string_view text) const {
  if (!are_plain_) return std::nullopt;
  const auto value = cell_number(text);
  return value ? of_value(*value) : std::nullopt;
}

}  // namespace taut
