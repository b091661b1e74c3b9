#include <taut/transform/along_log.hpp>
#include <taut/transform/scale_family.hpp>

namespace taut {

namespace {

// φ = σ(t) with t = log a + g and σ(t) = 1 / (1 + e^(−t)),  ∂φ/∂g = σ(t) σ(−t),  ∂φ/∂a = ∂φ/∂g / a,  a >= 0;  s = e^(−g/2).
// σ(t) rounds to 1 from t = 37 on; ranks therefore use t, the log-odds, and only the formula itself saturates.
class Sigma final : public ExponentialScale, public AlongLog {
 public:
  double value(double a, const double* g) const override { return logistic(log_odds(a, g)); }
  double slope(double a, const double* g) const override {
    // e^g / (1 + a e^g)², which is right at a = 0 too.
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
    // σ(−z) = e^(−z) σ(z): 1 − σ(z) would lose it where σ rounds to 1. Below −700 σ is 0 for every purpose.
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

}  // namespace taut
