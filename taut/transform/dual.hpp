// Numbers that carry their derivatives: a formula written once, as a template, gives its value and its gradient.
#pragma once

#include <taut/core/types.hpp>

#include <cmath>

namespace taut {

// v + Σ d_i ε_i with ε_i ε_j = 0.
template <int N>
struct Dual {
  using Gradient = Eigen::Array<double, N, 1>;
  double v = 0;
  Gradient d = Gradient::Zero();

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT: a constant is a number without a derivative
  Dual(double value, Gradient gradient) : v(value), d(std::move(gradient)) {}
  static Dual variable(double value, int which) {
    Dual x(value);
    x.d[which] = 1;
    return x;
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + b.d * a.v}; }
  friend Dual operator/(const Dual& a, const Dual& b) { return {a.v / b.v, (a.d - b.d * (a.v / b.v)) / b.v}; }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.v);
    return {e, a.d * e};
  }
  friend Dual log(const Dual& a) { return {std::log(a.v), a.d / a.v}; }
};

inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.v;
}

}  // namespace taut
