// Transformations that are increasing functions of r / s(x), and therefore give the same intervals as a scale s(x).
#include <taut/transform/scale_family.hpp>

#include <algorithm>

namespace taut {

namespace {

// φ = a e^g,  ∂φ/∂a = e^g,  ∂φ/∂g = a e^g,  a >= 0;  s = e^(−g/2).
class Exp final : public ExponentialScale, public AlongLog {
 public:
  bool competes() const override { return true; }
  double value(double a, const double* g) const override { return a * std::exp(g[0]); }
  double slope(double, const double* g) const override { return std::exp(g[0]); }
  void grad(double a, const double* g, double* out) const override { out[0] = a * std::exp(g[0]); }
  Codomain codomain(const double*) const override { return {0, infinity}; }
  double inverse(double b, const double* g) const override { return b * std::exp(-g[0]); }
  void at(const Array& z, Array& value, Array& rise, Array& bend) const override { bend = rise = value = z.exp(); }
};

}  // namespace

Listed<Transform> exp_transform() {
  return {"exp", "a e^g", [](std::string_view) { return std::make_unique<Exp>(); }};
}

namespace {

// φ = log a + g,  ∂φ/∂a = 1/a,  ∂φ/∂g = 1,  a >= 0;  s = e^(−g/2).
class Linear final : public ExponentialScale, public AlongLog {
 public:
  double value(double a, const double* g) const override { return std::log(a) + g[0]; }
  double slope(double a, const double*) const override { return 1 / a; }
  void grad(double, const double*, double* out) const override { out[0] = 1; }
  Codomain codomain(const double*) const override { return {-infinity, infinity}; }
  double inverse(double b, const double* g) const override { return std::exp(b - g[0]); }
  void at(const Array& z, Array& value, Array& rise, Array& bend) const override {
    value = z;
    rise.setOnes(z.size());
    bend.setZero(z.size());
  }
};

}  // namespace

Listed<Transform> linear_transform() {
  return {"linear", "log a + g", [](std::string_view) { return std::make_unique<Linear>(); }};
}

namespace {

// φ = σ(t) with t = log a + g and σ(t) = 1 / (1 + e^(−t)),  ∂φ/∂g = σ(t) σ(−t),  ∂φ/∂a = ∂φ/∂g / a,  a >= 0;  s = e^(−g/2).
// σ(t) rounds to 1 for t >= 37. The conformity score is therefore t, the log-odds, which does not saturate.
class Sigma final : public ExponentialScale, public AlongLog {
 public:
  double value(double a, const double* g) const override { return logistic(log_odds(a, g)); }
  double slope(double a, const double* g) const override {
    // e^g / (1 + a e^g)², which also holds at a = 0.
    const double complement = logistic(-log_odds(a, g));
    return std::exp(g[0]) * complement * complement;
  }
  void grad(double a, const double* g, double* out) const override {
    const double t = log_odds(a, g);
    out[0] = logistic(t) * logistic(-t);
  }
  Codomain codomain(const double*) const override { return {0, 1}; }
  double inverse(double b, const double* g) const override {
    if (b < 0) return -1;
    if (b >= 1) return infinity;
    return b / (1 - b) * std::exp(-g[0]);
  }
  void at(const Array& z, Array& value, Array& rise, Array& bend) const override {
    // σ(−z) = e^(−z) σ(z), because 1 − σ(z) is inaccurate where σ rounds to 1. For z below −700, σ is practically 0.
    bend = (-z.max(-700.0)).exp();
    value = 1 / (1 + bend);
    rise = bend * value * value;
    bend = rise * (1 - 2 * value);
  }

 private:
  static double log_odds(double a, const double* g) { return std::log(a) + g[0]; }
  static double logistic(double t) { return 1 / (1 + std::exp(-t)); }
};

}  // namespace

Listed<Transform> sigma_transform() {
  return {"sigma", "logistic(log a + g)", [](std::string_view) { return std::make_unique<Sigma>(); }};
}

namespace {

// φ = a / (g² + γ),  ∂φ/∂a = 1 / (g² + γ),  ∂φ/∂g = −2ag / (g² + γ)²,  a >= 0, γ > 0;  s = √(g² + γ).
// Residuals are in units of their mean, so with γ the scale is at least a hundredth of the mean residual.
class Erc final : public ScaleFamily {
 public:
  Index n_params() const override { return 1; }
  void initial(double* g) const override { g[0] = 1; }  // at 0 the gradient vanishes and training would not start

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
