// Transformations of the form r / s(x), and faster evaluation for objectives that compare pairs of rows.
#pragma once

#include <taut/core/types.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace taut {

// The two interfaces below evaluate a transformation at many places at once. They are optional: without them, objectives evaluate
// it place by place.

// For transformations with one parameter g where φ depends only on log a + g, so that ∂φ/∂g = ∂φ/∂log a.
class AlongLog {
 public:
  static constexpr Index maximum = 32;  // places in one call; arrays of this size need no heap memory
  using Array = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, maximum, 1>;

  virtual ~AlongLog() = default;
  // φ and its first and second derivative by log a at each z = log a + g.
  virtual void at(const Array& z, Array& value, Array& rise, Array& bend) const = 0;
};

// Inverts many scores at one g. The results equal those of inverse(), slope() and grad(), up to rounding.
class ManyInverses {
 public:
  struct Result {
    std::vector<double> a, slope;  // a of inverse(); the slope is 0 if a is negative, 0 or infinite
    Matrix grad;                   // one row per score, if with_grad; 0 if there is no slope
  };

  virtual ~ManyInverses() = default;
  virtual void inverses(std::span<const double> b, const double* g, bool with_grad, Result& result) const = 0;
};

// Transformations of the form r / s(x): linear, exp, sigma and erc are increasing functions of one another. The conformity score
// of all of them is log r − log s, which neither overflows nor saturates.
class ScaleFamily : public Transform {
 public:
  bool is_scale() const final { return true; }
  void initial_at(double half_width, double* g) const final { params_of_log_scale(std::log(half_width), g); }
  double conformity(double r, const double* g) const final { return std::log(r) - log_scale(g); }
  double half_width(double q, const double* g) const final {
    const double u = log_scale(g);
    if (std::isinf(q)) return q > 0 ? infinity : 0;
    // The closed set must contain the residual whose score is q, so the width grows by the rounding error of the exponent.
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    return std::exp(q + u) * (1 + rounding * (1 + std::abs(q) + std::abs(u)));
  }
};

// s = e^(−g/2): the common base of linear, exp and sigma, whose formulas all depend on log a + g.
class ExponentialScale : public ScaleFamily {
 public:
  Index n_params() const final { return 1; }
  double log_scale(const double* g) const final { return -0.5 * g[0]; }
  void log_scale_grad(const double*, double* out) const final { out[0] = -0.5; }
  void params_of_log_scale(double u, double* g) const final { g[0] = -2 * u; }
  std::optional<DescribedTransform> describe() const final { return DescribedScale{.factor = -0.5, .back = -2}; }
};

}  // namespace taut
