// What one piece of work came to: named numbers, in order.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

using Figures = std::vector<std::pair<std::string, double>>;

// The figure of that name; NaN where there is none.
double figure_of(const Figures& figures, std::string_view name);

// Mean, standard deviation (n − 1) and standard error of the mean; the latter two are NaN for a single value.
struct Summary {
  double mean = 0;
  double deviation = 0;
  double error = 0;
};

Summary summarise(const std::vector<double>& values);

}  // namespace taut
