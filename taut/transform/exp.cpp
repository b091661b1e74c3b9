#include <taut/transform/along_log.hpp>
#include <taut/transform/scale_family.hpp>

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

}  // namespace taut
