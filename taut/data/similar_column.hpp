// The name of a column that probably means the same as another name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace taut {

// The most similar of the candidates, or nothing. In this order: the same letters and digits (lot size, Lot_Size, lotSize), few
// typing errors (see nearest_name), the start of the other name (educ, education), an abbreviation of its words (yr_blt,
// year_built), or a part of it (price, sale_price).
std::optional<std::string> similar_column(std::string_view name, std::span<const std::string> candidates);

}  // namespace taut
