// From a prediction, a quantile and the parameters at x to the two ends of an interval.
#pragma once

#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

// f + half_width, moved outward by what rounding may have lost: a y with |y − f| <= half_width in doubles is never above it.
inline double upper_end(double f, double half_width) {
  double upper = f + half_width;
  const double next = std::nextafter(upper, infinity);
  if (next - f <= half_width) upper = next;
  // Near 0, y is finer than y − f: several y share one residual, and all of them belong.
  if (std::abs(upper) < half_width && std::isfinite(upper)) upper += std::numeric_limits<double>::epsilon() * half_width;
  return upper;
}

inline double lower_end(double f, double half_width) { return -upper_end(-f, half_width); }

// The closed set {y : φ(score of y; g of its side) <= q}. `below` and `above` are the parameters of the two sides (the same
// pointer where the sides share). The set is empty only when both sides are.
inline Interval interval_at(double f, double q, double unit, const Transform& transform, const double* below,
                            const double* above) {
  const double down = transform.half_width(q, below);
  const double up = above == below ? down : transform.half_width(q, above);
  if (down < 0 && up < 0) return {infinity, -infinity};
  return {lower_end(f, unit * std::max(down, 0.0)), upper_end(f, unit * std::max(up, 0.0))};
}

}  // namespace taut
