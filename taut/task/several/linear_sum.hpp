// A linear combination of targets, as a user writes it: "y1 + 2*y2".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// One weight for each name. A term is a name, number*name or name*number; the terms are joined by + and −. Names may hold any
// characters: at every term the longest name that fits is taken. Throws UsageError that says what was expected, or which term can
// be read in two ways because a name looks like a number.
std::vector<double> parse_linear_sum(std::string_view text, std::span<const std::string> names);

}  // namespace taut
