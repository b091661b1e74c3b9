#include <taut/train/figures.hpp>
#include <taut/train/level_width.hpp>
#include <taut/train/scale_rows.hpp>

#include <cmath>

namespace taut {

namespace {

// The paper's ℓ_α, narrowest at one level. For scale families exact in O(N):
//   J = log mean(s) + log q,  q the level's quantile of z = r / s,
//   ∂J/∂u = s / Σs − w,  w_k ∝ K(log z_k − log q): again two probability vectors, the second a window around the quantile.
// With two sides mean(s) is that of both ends and w counts on the side that occurred. For other classes: level_width.
// Not convex: start from a good scale.
class Level final : public Objective {
 public:
  explicit Level(double confidence) : confidence_(confidence) {}

  Index least_batch() const override { return 256; }  // a quantile of sixteen rows says nothing about the tail

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    if (!rows.transform.is_scale()) return level_width(rows, confidence_, gradient, curvature);
    const ScaleRows scale(rows);
    const double sum = scale.s().sum();
    const double q = quantile(scale.z());
    if (gradient != nullptr) {
      Eigen::ArrayXd weight = (scale.z() / q).log().unaryExpr(&quantile_window);
      weight /= std::max(weight.sum(), std::numeric_limits<double>::min());
      Eigen::ArrayXXd gradient_u = scale.s() / sum, curvature_u = gradient_u;
      for (Index i = 0; i < scale.count(); ++i) {
        gradient_u(i, scale.occurred(i)) -= weight[i];
        curvature_u(i, scale.occurred(i)) += weight[i];
      }
      scale.back(gradient_u, curvature_u, gradient, curvature);
    }
    return std::log(sum / static_cast<double>(scale.count() * scale.sides())) + std::log(q);
  }

 private:
  double quantile(const Eigen::ArrayXd& z) const {
    const double q = level_quantile({z.data(), z.data() + z.size()}, confidence_, 0);
    return std::isinf(q) ? 1 : q;
  }

  double confidence_;
};

}  // namespace

Listed<Objective> level_entry() {
  const auto make = [](std::string_view argument) { return std::make_unique<Level>(parse_confidence(argument, "level:A")); };
  return {"level", "level:A, narrowest at one confidence level (0.9, or alpha 0.1)", make, "level:0.9", true};
}

}  // namespace taut
