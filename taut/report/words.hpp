// Numbers as text, the way a reader of English expects them. report-page/src/format.js has the same for the page.
#pragma once

#include <taut/core/types.hpp>

#include <string>
#include <string_view>

namespace taut {

inline constexpr std::size_t longest_name = 60;  // of a column or label

// 3 significant digits: "0.0123", "4.56", "12,300"; powers of ten where that would be unreadable: "1.5e−7".
std::string number_text(double value, int digits = 3);
// With its unit behind it, if there is one.
std::string text_with_unit(double value, const std::string& unit);
// A measured share, 0.9017 -> "90.2 %"; and a confidence level, 0.9 -> "90 %".
std::string share_text(double share);
std::string level_text(double level);
// "89.1 and 90.9 %", "89.1 to 90.9 %": two shares with one percent sign.
std::string two_shares(double low, const std::string& between, double high);

// At most `most` characters (code points, not bytes), with an ellipsis if something was left out.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace taut
