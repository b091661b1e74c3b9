#include <taut/transform/scale_family.hpp>

#include <algorithm>

namespace taut {

namespace {

// φ = a / (g² + γ),  ∂φ/∂a = 1 / (g² + γ),  ∂φ/∂g = −2ag / (g² + γ)²,  a >= 0, γ > 0;  s = √(g² + γ).
// Residuals arrive in units of their mean, so γ lets the scale fall to a hundredth of it and no further.
class Erc final : public ScaleFamily {
 public:
  Index n_params() const override { return 1; }
  void initial(double* g) const override { g[0] = 1; }  // at 0 the gradient vanishes and nothing would ever be learned

  double value(double a, const double* g) const override { return a / variance(g); }
  double slope(double, const double* g) const override { return 1 / variance(g); }
  void grad(double a, const double* g, double* out) const override { out[0] = -2 * a * g[0] / (variance(g) * variance(g)); }
  Codomain codomain(const double*) const override { return {0, infinity}; }
  double inverse(double b, const double* g) const override { return b * variance(g); }

  double log_scale(const double* g) const override { return 0.5 * std::log(variance(g)); }
  void log_scale_grad(const double* g, double* out) const override { out[0] = g[0] / variance(g); }
  void params_of_log_scale(double u, double* g) const override { g[0] = std::sqrt(std::max(std::exp(2 * u) - gamma, 0.0)); }

 private:
  static constexpr double gamma = 1e-4;
  static double variance(const double* g) { return g[0] * g[0] + gamma; }
};

}  // namespace

Listed<Transform> erc_transform() {
  return {"erc", "a / (g^2 + gamma): residuals divided by a fitted error",
          [](std::string_view) { return std::make_unique<Erc>(); }};
}

}  // namespace taut
