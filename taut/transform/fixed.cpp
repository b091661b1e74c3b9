#include <taut/transform/transform.hpp>

#include <algorithm>

namespace taut {

namespace {

// φ = a: no adaptation, the baseline. Ranks r itself, so intervals keep every bit of the residuals.
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

  bool is_scale() const override { return true; }
  double log_scale(const double*) const override { return 0; }
  void log_scale_grad(const double*, double*) const override {}
  void params_of_log_scale(double, double*) const override {}
};

}  // namespace

Listed<Transform> fixed_transform() {
  return {"fixed", "a: one width everywhere, the baseline", [](std::string_view) { return std::make_unique<Fixed>(); }};
}

}  // namespace taut
