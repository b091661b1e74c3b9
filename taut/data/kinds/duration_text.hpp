// Durations such as race times: 3:59.4 (minutes and seconds), 1:02:33 (hours, minutes and seconds), 59.12 (seconds).
#pragma once

#include <taut/data/kinds/text_format.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace taut {

// The number of seconds, or nothing.
std::optional<double> read_duration(std::string_view text);

// True if at least 95 % of the cells are durations and some cannot be a time of day: 3:59.4, 75:10, or 1:02:33 beside 59:12.
// Cells below a minute may be plain seconds. 13:05 and 13:05:07 alone are times of day.
bool are_durations(std::span<const CountedText> texts);

}  // namespace taut
