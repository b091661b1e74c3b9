#include <taut/calibrate/target_range.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// 0.3 / 0.1 is a little less than 3: a quotient this near to a whole number stands for it.
constexpr double near_whole = 1e-9;

double floor_steps(double value, double step) { return std::floor(value / step + near_whole); }
double ceil_steps(double value, double step) { return std::ceil(value / step - near_whole); }

}  // namespace

void TargetRange::check() const {
  if (std::isnan(least) || std::isnan(most) || least > most)
    throw UsageError("--y-min must not exceed --y-max; got " + print_number(least) + " and " + print_number(most));
  if (!(step >= 0) || std::isinf(step)) throw UsageError("--y-step must be a positive number; got " + print_number(step));
  if (step > 0 && lattice(ceil_steps(least, step)) > most)
    throw UsageError("no multiple of --y-step " + print_number(step) + " lies between --y-min and --y-max");
}

// count · step, as the decimal it stands for: 3 · 0.1 is 0.30000000000000004, 3 / 10 is 0.3.
double TargetRange::lattice(double count) const {
  const double per_unit = std::round(1 / step);
  return std::abs(per_unit * step - 1) < 1e-12 ? count / per_unit : count * step;
}

Interval TargetRange::cut(Interval interval, double f) const {
  if (interval.empty() || !restricts()) return interval;
  interval.lower = std::max(interval.lower, least);
  interval.upper = std::min(interval.upper, most);
  if (step > 0) {
    if (std::isfinite(interval.lower)) interval.lower = lattice(ceil_steps(interval.lower, step));
    if (std::isfinite(interval.upper)) interval.upper = lattice(floor_steps(interval.upper, step));
  }
  if (!interval.empty()) return interval;
  double nearest = std::clamp(f, least, most);
  if (step > 0) {
    nearest = lattice(std::round(nearest / step));
    if (nearest < least) nearest = lattice(ceil_steps(least, step));
    if (nearest > most) nearest = lattice(floor_steps(most, step));
  }
  return {nearest, nearest};
}

}  // namespace taut
