#include <taut/transform/transform.hpp>

#include <taut/transform/numeric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace taut {

void Transform::initial(double* g) const { std::fill_n(g, n_params(), 0.0); }

void Transform::initial_at(double, double* g) const { initial(g); }

bool Transform::covers_real_line() const {
  std::vector<double> g(static_cast<std::size_t>(n_params()));
  initial(g.data());
  const Codomain range = codomain(g.data());
  return range.low == -infinity && range.high == infinity;
}

// The order of differentiation does not matter: a ∂²φ/∂g∂a = ∂(∂φ/∂g)/∂log a. It is computed by central differences with one
// Richardson extrapolation.
void Transform::log_slope_grad(double a, const double* g, double* out) const {
  constexpr double step = 1e-3;  // in log a: about 1e-12 of truncation error, and as much of rounding error
  const auto params = static_cast<std::size_t>(n_params());
  std::vector<double> up(params), down(params);
  const auto add = [&](double h, double weight) {
    grad(a * std::exp(h), g, up.data());
    grad(a * std::exp(-h), g, down.data());
    for (std::size_t p = 0; p < params; ++p) out[p] += weight * (up[p] - down[p]) / (2 * h);
  };
  std::fill_n(out, params, 0.0);
  add(step / 2, 4.0 / 3);
  add(step, -1.0 / 3);
  const double per_log = std::max(a * slope(a, g), std::numeric_limits<double>::min());
  for (std::size_t p = 0; p < params; ++p) out[p] /= per_log;
}

Transform::Density Transform::density(double a, const double* g, double* value_grad, double* slope_grad) const {
  if (value_grad != nullptr) {
    grad(a, g, value_grad);
    log_slope_grad(a, g, slope_grad);
  }
  return {value(a, g), std::log(a * slope(a, g))};
}

double Transform::inverse(double b, const double* g) const {
  const Codomain range = codomain(g);
  if (b < range.low) return -1;
  if (b >= range.high) return infinity;
  return increasing_root([&](double a) { return value(a, g); }, [&](double a) { return slope(a, g); }, b);
}

double Transform::conformity(double r, const double* g) const { return value(r * r, g); }

// sup{r : conformity(r) <= q}, found bit by bit from the highest bit of the double on. Each bit is decided by one comparison with
// q at a place that depends only on the bits before it. So a larger q never gives a smaller result, even if φ is rounded.
// Newton's method is faster, but its last digits are not monotone, and intervals of neighbouring levels would not be nested. The
// possible rounding error is added in q and in r, so that half_width(conformity(r)) does not fall below r.
double Transform::half_width(double q, const double* g) const {
  if (q == infinity) return infinity;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr int last_bit = 10;  // lower bits change the result by less than 1e-12, which is added too
  const double maximum = std::isinf(q) ? q : q + 64 * epsilon * (1 + std::abs(q));
  if (!(conformity(0, g) <= maximum)) return -1;
  std::uint64_t bits = 0;
  for (int bit = 62; bit >= last_bit; --bit) {
    const std::uint64_t next = bits | std::uint64_t{1} << bit;
    const auto r = std::bit_cast<double>(next);
    if (std::isfinite(r) && conformity(r, g) <= maximum) bits = next;
  }
  return std::bit_cast<double>(bits) * (1 + 1e-11);
}

double Transform::log_scale(const double*) const { throw std::logic_error("log_scale: not a scale family"); }
void Transform::log_scale_grad(const double*, double*) const { throw std::logic_error("log_scale_grad: not a scale family"); }
void Transform::params_of_log_scale(double, double*) const { throw std::logic_error("params_of_log_scale: not a scale family"); }

}  // namespace taut
