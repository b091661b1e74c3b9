#include <taut/transform/numeric.hpp>

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr int most_evaluations = 60;
constexpr double least_log = -744.0;  // exp of it is the smallest positive double
constexpr double most_log = 709.7;    // exp of it is nearly the largest

}  // namespace

double increasing_root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target) {
  double low = least_log, high = most_log;
  double t = 0;               // log a; scores come in units of their own mean, so the root is rarely far from 0
  double longest = infinity;  // step that is still trusted
  double stride = 4;          // into a side of the bracket that nothing bounds yet
  for (int evaluation = 0; evaluation < most_evaluations; ++evaluation) {
    const double a = std::exp(t);
    const double excess = value(a) - target;
    (excess <= 0 ? low : high) = t;
    // Half of the allowed error of log a, and at least the spacing of doubles there.
    const double tolerance = 2e-13 + 2e-16 * std::abs(t);
    if (high - low <= 2 * tolerance) break;
    const double newton = std::abs(excess / (slope(a) * a));  // over ∂φ/∂log a
    // Once Newton has arrived, one evaluation just beyond the root closes the bracket from the other side.
    const bool arrived = newton < tolerance && longest > 0;
    const double step = arrived ? tolerance : newton;
    const double next = excess > 0 ? t - step : t + step;
    // Newton must stay inside and at least halve its step every time. Else eight strides find the end of an open bracket, at
    // most 512 wide, and halving it is over after 60 evaluations: 512 / 2^50 < 1e-12.
    const bool open = excess > 0 ? low == least_log : high == most_log;
    const bool trusted = next > low && next < high && (arrived || step <= longest) && !(open && step > stride);
    longest = !trusted ? infinity : arrived ? 0 : 0.5 * step;
    if (trusted) {
      t = next;
    } else if (open) {
      t = excess > 0 ? std::max(t - stride, least_log) : std::min(t + stride, most_log);
      stride *= 2;
    } else {
      t = 0.5 * (low + high);
    }
  }
  if (low == least_log) return 0;
  if (high == most_log) return infinity;
  return std::exp(0.5 * (low + high));
}

}  // namespace taut
