#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

namespace {

// φ = a + g²,  ∂φ/∂a = 1,  ∂φ/∂g = 2g,  a >= 0, codomain [g², +infinity): the paper's example of codomains that differ with x.
class Offset final : public Transform {
 public:
  Index n_params() const override { return 1; }
  void initial(double* g) const override { g[0] = 0.1; }  // at 0 the gradient vanishes and nothing would ever be learned
  double value(double a, const double* g) const override { return a + g[0] * g[0]; }
  double slope(double, const double*) const override { return 1; }
  void grad(double, const double* g, double* out) const override { out[0] = 2 * g[0]; }
  Codomain codomain(const double* g) const override { return {g[0] * g[0], infinity}; }
  double inverse(double b, const double* g) const override { return b - g[0] * g[0]; }

  double half_width(double q, const double* g) const override {
    if (std::isinf(q)) return q;
    // What the addition rounded away is given back, so that the residual that set q stays inside.
    const double a = inverse(q, g) + 4 * std::numeric_limits<double>::epsilon() * (std::abs(q) + g[0] * g[0]);
    return a < 0 ? -1 : std::sqrt(a);
  }
};

}  // namespace

Listed<Transform> offset_transform() {
  return {"offset", "a + g^2: smaller sets where g is large, down to none",
          [](std::string_view) { return std::make_unique<Offset>(); }};
}

}  // namespace taut
