// The results of one job: named numbers, in order.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

using NamedValues = std::vector<std::pair<std::string, double>>;

// The value of that name; NaN where there is none.
double value_named(const NamedValues& values, std::string_view name);

// Mean, standard deviation (n − 1) and standard error of the mean; the latter two are NaN for a single value.
struct Summary {
  double mean = 0;
  double deviation = 0;
  double error = 0;
};

Summary summarise(const std::vector<double>& values);

}  // namespace taut
