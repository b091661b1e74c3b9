#include <taut/transform/numeric.hpp>

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr int max_evaluations = 60;
constexpr double min_log = -744.0;  // exp of it is the smallest positive double
constexpr double max_log = 709.7;   // exp of it is nearly the largest double

}  // namespace

double increasing_root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target) {
  double low = min_log, high = max_log;
  double t = 0;                // log a; scores are in units of their mean, so the root is rarely far from 0
  double max_step = infinity;  // the longest Newton step that is accepted
  double stride = 4;           // the step towards an end of the bracket that is still open
  for (int evaluation = 0; evaluation < max_evaluations; ++evaluation) {
    const double a = std::exp(t);
    const double excess = value(a) - target;
    (excess <= 0 ? low : high) = t;
    // Less than half of the allowed error of log a, and at least the spacing of doubles there.
    const double tolerance = 2e-13 + 2e-16 * std::abs(t);
    if (high - low <= 2 * tolerance) break;
    const double newton = std::abs(excess / (slope(a) * a));  // over ∂φ/∂log a
    // After Newton's method has converged, one evaluation just beyond the root closes the bracket from the other side.
    const bool converged = newton < tolerance && max_step > 0;
    const double step = converged ? tolerance : newton;
    const double next = excess > 0 ? t - step : t + step;
    // A Newton step is accepted if it stays inside the bracket and is at most half as long as the one before. Otherwise, at most
    // eight strides close an open bracket, which is then at most 512 wide, and bisection ends within 60 evaluations:
    // 512 / 2^50 < 1e-12.
    const bool open = excess > 0 ? low == min_log : high == max_log;
    const bool accepted = next > low && next < high && (converged || step <= max_step) && !(open && step > stride);
    max_step = !accepted ? infinity : converged ? 0 : 0.5 * step;
    if (accepted) {
      t = next;
    } else if (open) {
      t = excess > 0 ? std::max(t - stride, min_log) : std::min(t + stride, max_log);
      stride *= 2;
    } else {
      t = 0.5 * (low + high);
    }
  }
  if (low == min_log) return 0;
  if (high == max_log) return infinity;
  return std::exp(0.5 * (low + high));
}

}  // namespace taut
