// Transformations of the form r / s(x), and what they offer to objectives that look at pairs of rows.
#pragma once

#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace taut {

// Transformations at many places at once, for objectives that look at pairs of rows. Optional: what a class does not offer is
// found place by place.

// φ depends on log a + g alone, and g is one number: ∂φ/∂g = ∂φ/∂log a.
class AlongLog {
 public:
  static constexpr Index most = 32;  // places at once: their arrays need no memory of their own
  using Array = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;

  virtual ~AlongLog() = default;
  // φ and its first and second derivative by log a at each z = log a + g.
  virtual void at(const Array& z, Array& value, Array& rise, Array& bend) const = 0;
};

// Many scores at one g: as inverse(), slope() and grad() one by one, up to rounding.
class ManyInverses {
 public:
  struct Result {
    std::vector<double> a, slope;  // a as inverse() gives it; no slope where a is negative, 0 or infinite
    Matrix grad;                   // a row for each a with a slope, unless it is not wanted
  };

  virtual ~ManyInverses() = default;
  virtual void inverses(std::span<const double> b, const double* g, bool with_grad, Result& result) const = 0;
};

// Transformations of the form r / s(x): linear, exp, sigma and erc are increasing functions of one another.

// Ranks log r − log s, which neither overflows nor saturates, whatever the class's own formula does.
class ScaleFamily : public Transform {
 public:
  bool is_scale() const final { return true; }
  void initial_at(double half_width, double* g) const final { params_of_log_scale(std::log(half_width), g); }
  double conformity(double r, const double* g) const final { return std::log(r) - log_scale(g); }
  double half_width(double q, const double* g) const final {
    const double u = log_scale(g);
    if (std::isinf(q)) return q > 0 ? infinity : 0;
    // The closed set must keep the residual that set q: the exponent carries a rounding error of this size.
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    return std::exp(q + u) * (1 + rounding * (1 + std::abs(q) + std::abs(u)));
  }
};

// s = e^(−g/2): the shared part of linear, exp and sigma, whose formulas all contain log a + g.
class ExponentialScale : public ScaleFamily {
 public:
  Index n_params() const final { return 1; }
  double log_scale(const double* g) const final { return -0.5 * g[0]; }
  void log_scale_grad(const double*, double* out) const final { out[0] = -0.5; }
  void params_of_log_scale(double u, double* g) const final { g[0] = -2 * u; }
  std::optional<DescribedTransform> describe() const final { return DescribedScale{.factor = -0.5, .back = -2}; }
};

}  // namespace taut
