// Tools for transformations: automatic differentiation, and inverses by a root finder.
#pragma once

#include <taut/core/types.hpp>

#include <cmath>
#include <functional>

namespace taut {

// A dual number v + Σ d_i ε_i with ε_i ε_j = 0: a value and its gradient. A formula written once as a template computes both.
template <int N>
struct Dual {
  using Gradient = Eigen::Array<double, N, 1>;
  double v = 0;
  Gradient d = Gradient::Zero();

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT: implicit, for constants, whose derivative is 0
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

// The largest a >= 0 with value(a) <= target, for a continuous strictly increasing function. This is the root finder of all
// transformations without a closed inverse. It uses Newton's method inside a shrinking bracket, in log a, so that 1e-300 and
// 1e300 cost the same. The relative error is at most 1e-12 after at most 60 evaluations. Returns 0 if the value exceeds the
// target for every positive a, and +infinity if it never does.
double increasing_root(const std::function<double(double)>& value, const std::function<double(double)>& slope, double target);

}  // namespace taut
