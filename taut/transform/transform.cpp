#include <taut/transform/transform.hpp>

#include <taut/transform/root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace taut {

void Transform::initial(double* g) const { std::fill_n(g, n_params(), 0.0); }

bool Transform::fills_the_line() const {
  std::vector<double> g(static_cast<std::size_t>(n_params()));
  initial(g.data());
  const Codomain range = codomain(g.data());
  return range.low == -infinity && range.high == infinity;
}

// The order of differentiation does not matter: a ∂²φ/∂g∂a = ∂(∂φ/∂g)/∂log a, by central differences with one extrapolation.
void Transform::log_slope_grad(double a, const double* g, double* out) const {
  constexpr double step = 1e-3;  // in log a: an error of about 1e-12 from the formula and as much from rounding
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

double Transform::half_width(double q, const double* g) const {
  if (q == infinity) return infinity;
  const double a = inverse(q, g);
  if (!(a > 0)) return a < 0 ? -1 : 0;
  // The set is closed: half_width(conformity(r)) must not fall below r, so what rounding may have lost is given back: the
  // root finder's error, and that of q itself as seen through the slope.
  const double lost = 8 * std::numeric_limits<double>::epsilon() * (1 + std::abs(q)) / slope(a, g);
  return std::sqrt(a * (1 + 2e-12) + lost);
}

double Transform::log_scale(const double*) const { throw std::logic_error("log_scale: not a scale family"); }
void Transform::log_scale_grad(const double*, double*) const { throw std::logic_error("log_scale_grad: not a scale family"); }
void Transform::params_of_log_scale(double, double*) const { throw std::logic_error("params_of_log_scale: not a scale family"); }

}  // namespace taut
