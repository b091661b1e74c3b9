#include <taut/core/format.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

Declared parse_declaration(const std::string& text, const TableView& table) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || find_column(table.columns(), text)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::optional<DateOrder> parse_order(const Declared& declared) {
  if (declared.rest.empty()) return std::nullopt;
  if (declared.rest == "dmy") return DateOrder::day_first;
  if (declared.rest == "mdy") return DateOrder::month_first;
  if (declared.rest == "ymd") return DateOrder::year_first;
  throw UsageError(format_text("--date {}:{}: after the colon dmy, mdy or ymd is allowed", declared.name, declared.rest));
}

std::vector<std::string> parse_categories(const Declared& declared, const MissingWords& is_missing) {
  std::vector<std::string> categories;
  for (const auto& part : split_text(declared.rest, '<')) categories.emplace_back(trim(part));
  const bool has_empty = std::any_of(categories.begin(), categories.end(), [](const auto& text) { return text.empty(); });
  if (categories.size() < 2 || has_empty)
    throw UsageError(
        format_text("--ordered {}: the values must be named in their order, as in --ordered 'size:S<M<L'", declared.name));
  for (const auto& text : categories)
    if (is_missing(text))
      throw UsageError(format_text(
          "--ordered {}: '{}' means a missing cell, which has no place in an order; leave it out, or write another word in the "
          "table",
          declared.name, text));
  for (std::size_t i = 0; i < categories.size(); ++i)
    if (std::find(categories.begin(), categories.begin() + static_cast<Index>(i), categories[i]) !=
        categories.begin() + static_cast<Index>(i))
      throw UsageError(format_text("--ordered {}: the value '{}' is named twice", declared.name, categories[i]));
  return categories;
}

}  // namespace taut
