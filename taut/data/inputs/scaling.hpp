// Columns with mean 0 and standard deviation 1; doubles as floats without losing what tells them apart.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace taut {

// Columns with mean 0 and standard deviation 1.

// Mean and standard deviation (population) of values(i), i = 0 ... count − 1; without values 0 and 0. Differences to the first
// value keep constant columns exactly constant; dividing by the largest deviation keeps squares from over- and underflowing.
template <class Values>
std::pair<double, double> centre_and_scale(Index count, Values values) {
  if (count == 0) return {0, 0};
  const double first = values(0);
  double shift = 0;
  for (Index i = 0; i < count; ++i) shift += values(i) - first;
  shift /= static_cast<double>(count);
  double largest = 0;
  bool is_constant = true;
  for (Index i = 0; i < count; ++i) {
    is_constant = is_constant && values(i) == first;
    largest = std::max(largest, std::abs(values(i) - first - shift));
  }
  if (is_constant || !(largest > 0)) return {first, 0};
  double squares = 0;
  for (Index i = 0; i < count; ++i) {
    const double share = (values(i) - first - shift) / largest;
    squares += share * share;
  }
  return {first + shift, largest * std::sqrt(squares / static_cast<double>(count))};
}

// Every column of x by its own mean and standard deviation; a constant one becomes 0, and so does a cell that is not finite.
MatrixF standardised(MatrixF x);

// Doubles as floats without losing what tells them apart.

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
