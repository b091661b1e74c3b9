// Tables that read well as Markdown and as plain text.
#pragma once

#include <experiments/named_values.hpp>

#include <string>
#include <vector>

namespace taut {

// The first row is the header; cells are padded so that the columns line up in a terminal too.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

// "0.161", "inf", "-" for NaN.
std::string rounded(double value, int decimals = 3);

// "0.161 ± 0.006", mean and standard deviation; without the latter for a single value.
std::string with_deviation(const Summary& summary, int decimals = 3);

// "+2.1", for differences in standard errors.
std::string signed_number(double value, int decimals = 1);

// The date of today, 2026-11-15.
std::string today();

}  // namespace taut
