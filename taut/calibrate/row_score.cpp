#include <taut/calibrate/row_score.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double upper_end(double f, double half_width) {
  double upper = f + half_width;
  const double next = std::nextafter(upper, infinity);
  if (next - f <= half_width) upper = next;
  // Near 0, y is finer than y − f: several y share one residual, and all of them belong.
  if (std::abs(upper) < half_width && std::isfinite(upper)) upper += std::numeric_limits<double>::epsilon() * half_width;
  return upper;
}

double lower_end(double f, double half_width) { return -upper_end(-f, half_width); }

double RowScore::operator()(double y) const {
  return transform.conformity(std::abs(y - f) / unit, side_of(f, y) == Side::below ? below : above);
}

Interval RowScore::at_most(double q) const {
  const double down = transform.half_width(q, below);
  const double up = above == below ? down : transform.half_width(q, above);
  if (down < 0 && up < 0) return {infinity, -infinity};
  return {lower_end(f, unit * std::max(down, 0.0)), upper_end(f, unit * std::max(up, 0.0))};
}

Interval RowScore::at_most(double q, const TargetRange& range) const {
  const Interval set = at_most(q);
  return range.restricts() ? range.cut(set, first_possible(range)) : set;
}

// Of the possible values the one with the least score: on each side of f the nearest comes first.
double RowScore::first_possible(const TargetRange& range) const {
  const auto [lower, upper] = range.neighbours(f);
  if (std::isnan(lower) || std::isnan(upper)) return std::isnan(lower) ? upper : lower;
  return (*this)(upper) < (*this)(lower) ? upper : lower;
}

}  // namespace taut
