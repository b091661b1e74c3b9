// Standardised columns, and doubles converted to floats that stay distinguishable.
#pragma once

#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace taut {

// Mean and population standard deviation of values(i), i = 0 ... count − 1; both are 0 without values. Differences from the first
// value keep constant columns exactly constant. Division by the largest deviation avoids overflow and underflow of squares.
template <class Values>
std::pair<double, double> centre_and_scale(Index count, Values values, RowWeights weights = {}) {
  if (count == 0) return {0, 0};
  const double first = values(0), all = total_weight(weights, count);
  double shift = 0;
  for (Index i = 0; i < count; ++i) shift += weight_of(weights, i) * (values(i) - first);
  shift /= all;
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
    squares += weight_of(weights, i) * (share * share);
  }
  return {first + shift, largest * std::sqrt(squares / all)};
}

// Centres and scales every column of x by its mean and standard deviation. A constant column becomes 0, and so does a cell that
// is not finite.
MatrixF standardised(MatrixF x);

// The nearest float; a number beyond the range of floats becomes the largest one. NaN stays NaN.
inline float to_float(double value) {
  constexpr double maximum = std::numeric_limits<float>::max();
  return static_cast<float>(value < -maximum ? -maximum : value > maximum ? maximum : value);
}

// The offset to subtract from numbers before they become floats. It is 0 unless rounding makes more than one in a hundred of the
// different numbers equal and the offset helps. That happens with large numbers that differ little: times in milliseconds, keys,
// counter readings. The offset is then their median, which is one of the numbers. A sample of the numbers is enough.
double float_offset(std::vector<double> sample);

inline constexpr Index float_offset_sample = 1 << 16;  // a larger sample changes little

}  // namespace taut
