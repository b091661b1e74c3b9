// Transformations without a trained scale: no adaptation, a shift of the residual, an offset of its square.
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// φ = a: no adaptation, the baseline. The conformity score is r itself, so half-widths are exact residuals.
class Fixed final : public Transform {
 public:
  Index n_params() const override { return 0; }
  double value(double a, const double*) const override { return a; }
  double slope(double, const double*) const override { return 1; }
  void grad(double, const double*, double*) const override {}
  Codomain codomain(const double*) const override { return {0, infinity}; }
  double inverse(double b, const double*) const override { return b; }

  double conformity(double r, const double*) const override { return r; }
  double half_width(double q, const double*) const override { return q; }
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) { return Formula(q); }};
  }

  bool is_scale() const override { return true; }
  double log_scale(const double*) const override { return 0; }
  void log_scale_grad(const double*, double*) const override {}
  void params_of_log_scale(double, double*) const override {}
};

}  // namespace

Listed<Transform> fixed_transform() {
  return {"fixed", "a: one width everywhere, the baseline", [](std::string_view) { return std::make_unique<Fixed>(); }};
}

namespace {

// φ = √a − g,  ∂φ/∂a = 1 / (2√a),  ∂φ/∂g = −1,  a >= 0, codomain [−g, +infinity): below −g the set is empty.
// The paper's example of intervals that no scale produces.
class Shift final : public Transform {
 public:
  bool competes() const override { return true; }
  Index n_params() const override { return 1; }
  void initial_at(double half_width, double* g) const override { g[0] = half_width; }
  double value(double a, const double* g) const override { return std::sqrt(a) - g[0]; }
  double slope(double a, const double*) const override { return 0.5 / std::sqrt(a); }
  void grad(double, const double*, double* out) const override { out[0] = -1; }
  Codomain codomain(const double* g) const override { return {-g[0], infinity}; }
  double inverse(double b, const double* g) const override {
    const double r = b + g[0];
    return r < 0 ? -1 : r * r;
  }

  double conformity(double r, const double* g) const override { return r - g[0]; }
  double half_width(double q, const double* g) const override {
    return std::isinf(q) ? (q > 0 ? q : -1) : finite_half_width(q, g[0]);
  }
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) { return finite_half_width(q, Formula::variable(0)); }};
  }

 private:
  template <class Number>
  static Number finite_half_width(double q, const Number& g) {
    using std::abs;
    // Add the rounding error of the subtraction, so that the set contains the residual whose score is q.
    const Number r = q + g + std::numeric_limits<double>::epsilon() * (std::abs(q) + abs(g));
    return if_negative(r, -1, r);
  }
};

}  // namespace

Listed<Transform> shift_transform() {
  return {"shift", "sqrt(a) - g: intervals that grow by an amount, not by a factor",
          [](std::string_view) { return std::make_unique<Shift>(); }};
}

namespace {

// φ = a + g²,  ∂φ/∂a = 1,  ∂φ/∂g = 2g,  a >= 0, codomain [g², +infinity): the paper's example of codomains that differ with x.
class Offset final : public Transform {
 public:
  Index n_params() const override { return 1; }
  void initial(double* g) const override { g[0] = 0.1; }  // at 0 the gradient vanishes and training would not start
  double value(double a, const double* g) const override { return a + g[0] * g[0]; }
  double slope(double, const double*) const override { return 1; }
  void grad(double, const double* g, double* out) const override { out[0] = 2 * g[0]; }
  Codomain codomain(const double* g) const override { return {g[0] * g[0], infinity}; }
  double inverse(double b, const double* g) const override { return b - g[0] * g[0]; }

  double half_width(double q, const double* g) const override { return std::isinf(q) ? q : finite_half_width(q, g[0]); }
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) { return finite_half_width(q, Formula::variable(0)); }};
  }

 private:
  template <class Number>
  static Number finite_half_width(double q, const Number& g) {
    using std::sqrt;
    // Add the rounding error of the addition, so that the set contains the residual whose score is q.
    const Number a = q - g * g + 4 * std::numeric_limits<double>::epsilon() * (std::abs(q) + g * g);
    return if_negative(a, -1, sqrt(a));
  }
};

}  // namespace

Listed<Transform> offset_transform() {
  return {"offset", "a + g^2: smaller sets where g is large, down to none",
          [](std::string_view) { return std::make_unique<Offset>(); }};
}

}  // namespace taut
