// The levels of the page's slider, and what is worth computing at each; the same for intervals and for sets.
#pragma once

#include <taut/report/level_summary.hpp>

#include <string>
#include <vector>

namespace taut {

inline constexpr std::size_t most_bytes = 1'000'000;  // of a page
inline constexpr Index most_columns = 24;             // that are drawn

// Every percent from 0.5 to 0.99, and the level that was asked for.
std::vector<double> slider_levels(double confidence);
std::size_t position_of(const std::vector<double>& levels, double confidence);
// At some levels every metric is computed; at the others not those that take long.
Effort effort_of(double level, double confidence);

// What a reader without JavaScript sees.
std::string without_script(const Answer& answer);

}  // namespace taut
