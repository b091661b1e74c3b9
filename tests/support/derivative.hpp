// One helper for every hand-written derivative.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

namespace taut::testing {

// Richardson-extrapolated central difference: error O(h⁴) from the formula and about 1e-16 · |f| / h from rounding, so with
// h = 1e-3 · max(|x|, 1e-3) some nine digits are right for functions that vary over a few units of x.
inline double difference(const std::function<double(double)>& f, double x) {
  const double h = 1e-3 * std::max(std::abs(x), 1e-3);
  const auto central = [&](double step) { return (f(x + step) - f(x - step)) / (2 * step); };
  return (4 * central(h / 2) - central(h)) / 3;
}

// Equal up to the precision of a finite difference.
inline bool agree(double formula, double numerical, double tolerance = 1e-6) {
  return std::abs(formula - numerical) <= tolerance * std::max({std::abs(formula), std::abs(numerical), 1e-6});
}

}  // namespace taut::testing
