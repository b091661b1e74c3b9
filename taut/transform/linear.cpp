#include <taut/transform/along_log.hpp>
#include <taut/transform/scale_family.hpp>

namespace taut {

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

}  // namespace taut
