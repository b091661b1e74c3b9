#include <taut/data/kinds/number_codes.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <cmath>

namespace taut {

NumberCodes::NumberCodes(const std::vector<std::string>& categories) : are_plain_(!categories.empty()) {
  for (std::size_t code = 0; code < categories.size(); ++code) {
    const auto value = cell_number(categories[code]);
    if (value) codes_.try_emplace(*value, static_cast<double>(code));
    are_plain_ = are_plain_ && value && *value == std::floor(*value) && print_number(*value) == categories[code];
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
