// Columns with mean 0 and standard deviation 1.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

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

}  // namespace taut
