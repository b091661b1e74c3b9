#include <taut/transform/root.hpp>

#include <taut/core/types.hpp>

#include <cmath>

namespace taut {

namespace {

constexpr int most_evaluations = 60;
constexpr double least_log = -744.0;  // exp of it is the smallest positive double
constexpr double most_log = 709.7;    // exp of it is nearly the largest

}  // namespace

double increasing_root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target) {
  double low = least_log, high = most_log;
  double t = 0;  // log a; scores come in units of their own mean, so the root is rarely far from 0
  double previous_step = infinity;
  for (int evaluation = 0; evaluation < most_evaluations; ++evaluation) {
    const double a = std::exp(t);
    const double excess = value(a) - target;
    (excess <= 0 ? low : high) = t;
    if (high - low <= 1e-13) break;
    const double per_log = slope(a) * a;  // ∂φ/∂log a
    double next = t - excess / per_log;
    // Newton must stay inside and at least halve its step every time; else the bracket is halved, which 60 evaluations
    // cannot outlast: 1454 / 2^53 < 1e-12.
    const bool trusted = std::isfinite(next) && next > low && next < high && std::abs(next - t) <= 0.5 * previous_step;
    if (!trusted) next = 0.5 * (low + high);
    previous_step = trusted ? std::abs(next - t) : infinity;
    if (next == t) break;
    t = next;
  }
  if (low == least_log) return 0;
  if (high == most_log) return infinity;
  return std::exp(0.5 * (low + high));
}

}  // namespace taut
