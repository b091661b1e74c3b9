#include <experiments/named_values.hpp>

#include <taut/core/types.hpp>

#include <cmath>

namespace taut {

double value_named(const NamedValues& values, std::string_view name) {
  for (const auto& [own, value] : values)
    if (own == name) return value;
  return missing;
}

Summary summarise(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value;
  mean /= count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : missing;
  return {mean, deviation, deviation / std::sqrt(count)};
}

}  // namespace taut
