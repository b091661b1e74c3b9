// Doubles as floats without losing what tells them apart.
#pragma once

#include <taut/core/types.hpp>

#include <limits>
#include <vector>

namespace taut {

// The nearest float; beyond their range the largest. NaN stays NaN.
inline float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(value < -most ? -most : value > most ? most : value);
}

// What to subtract from numbers before they become floats: 0, unless rounding makes more than one in a hundred of the different
// ones equal, as it does with large numbers that differ little: moments in milliseconds, keys, readings of a counter. Then their
// median, which is one of them, so that differences are exact. Ordinary numbers keep every bit. A sample of the numbers will do.
double float_offset(std::vector<double> sample);

inline constexpr Index float_offset_sample = 1 << 16;  // more tell no more

}  // namespace taut
