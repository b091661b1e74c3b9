#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

namespace {

// φ = √a − g,  ∂φ/∂a = 1 / (2√a),  ∂φ/∂g = −1,  a >= 0, codomain [−g, +infinity): below −g the set is empty.
// The paper's example of intervals that no scale can give.
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
    // What the subtraction rounded away is given back, so that the residual that set q stays inside.
    const double rounding = std::numeric_limits<double>::epsilon() * (std::abs(q) + std::abs(g[0]));
    const double r = q + g[0] + (std::isinf(q) ? 0 : rounding);
    return r < 0 ? -1 : r;
  }
};

}  // namespace

Listed<Transform> shift_transform() {
  return {"shift", "sqrt(a) - g: intervals that grow by an amount, not by a factor",
          [](std::string_view) { return std::make_unique<Shift>(); }};
}

}  // namespace taut
