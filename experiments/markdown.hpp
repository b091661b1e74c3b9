// Results of a job as named numbers, and tables in Markdown.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

// The results of one job: named numbers, in order.
using NamedValues = std::vector<std::pair<std::string, double>>;

// The value with this name; NaN if there is none.
double value_named(const NamedValues& values, std::string_view name);

// Mean, standard deviation (n − 1) and standard error of the mean; the latter two are NaN for a single value.
struct Summary {
  double mean = 0;
  double deviation = 0;
  double error = 0;
};

Summary summarise(const std::vector<double>& values);

// A Markdown table. The first row is the header; cells are padded so that columns also line up as plain text.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

// "0.161", "inf", "-" for NaN.
std::string rounded(double value, int decimals = 3);

// "0.161 ± 0.006": mean and standard deviation; only the mean for a single value.
std::string with_deviation(const Summary& summary, int decimals = 3);

// "+2.1", for differences in standard errors.
std::string signed_number(double value, int decimals = 1);

// The current date, for example 2026-11-15.
std::string today();

}  // namespace taut
