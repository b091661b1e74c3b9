#include <taut/transform/root.hpp>

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
  for (int evaluation = 0; evaluation < most_evaluations; ++evaluation) {
    const double a = std::exp(t);
    const double excess = value(a) - target;
    (excess <= 0 ? low : high) = t;
    // Half of what log a may be wrong by, and at least the spacing of doubles there.
    const double tolerance = 2e-13 + 2e-16 * std::abs(t);
    if (high - low <= 2 * tolerance) break;
    const double newton = std::abs(excess / (slope(a) * a));  // over ∂φ/∂log a
    // Where Newton has arrived, the next look is just beyond the root, once, so that the bracket closes from both sides.
    const bool arrived = newton < tolerance && longest > 0;
    const double step = arrived ? tolerance : newton;
    const double next = excess > 0 ? t - step : t + step;
    // Newton must stay inside and at least halve its step every time; else the bracket is halved, which 60 evaluations
    // cannot outlast: 1454 / 2^53 < 1e-12.
    const bool trusted = next > low && next < high && (arrived || step <= longest);
    t = trusted ? next : 0.5 * (low + high);
    longest = !trusted ? infinity : arrived ? 0 : 0.5 * step;
  }
  if (low == least_log) return 0;
  if (high == most_log) return infinity;
  return std::exp(0.5 * (low + high));
}

}  // namespace taut
