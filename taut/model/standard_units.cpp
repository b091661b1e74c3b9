#include <taut/model/standard_units.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

// Sums are taken in units of the largest value, so that targets near the end of the range of doubles do not overflow.
StandardUnits StandardUnits::of(std::span<const double> values) {
  StandardUnits units;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return units;
  const double n = static_cast<double>(values.size());
  double mean = 0, deviation = 0;
  for (const double value : values) mean += value / largest / n;
  for (const double value : values) deviation += std::abs(value / largest - mean) / n;
  units.centre = mean * largest;
  if (deviation * largest > 0) units.unit = deviation * largest;
  return units;
}

double StandardUnits::value(double standard) const {
  const double value = centre + unit * standard;
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? centre : std::copysign(std::numeric_limits<double>::max(), value);
}

void StandardUnits::save(Archive archive) const {
  archive.put("centre", centre);
  archive.put("unit", unit);
}

StandardUnits StandardUnits::load(const Archive& archive) {
  const StandardUnits units{archive.number("centre"), archive.number("unit")};
  if (!std::isfinite(units.centre) || !(units.unit > 0) || !std::isfinite(units.unit))
    throw Error("the model file's units of the target make no sense: it is damaged");
  return units;
}

}  // namespace taut
