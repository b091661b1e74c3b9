#include <taut/core/error.hpp>
#include <taut/train/figures.hpp>
#include <taut/train/scale_rows.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The paper's ℓ_α, narrowest at one level, for scale families:
//   J = log mean(s) + log q,  q the level's quantile of z = r / s,
//   ∂J/∂u = s / Σs − w,  w_k ∝ K((log z_k − log q) / h): again two probability vectors, the second a window around the quantile.
// With two sides mean(s) is that of both ends and w counts on the side that occurred. Not convex: start from a good scale.
class Level final : public Objective {
 public:
  explicit Level(double confidence) : confidence_(confidence) {}

  void check(const Transform& transform) const override {
    if (!transform.is_scale())
      throw UsageError("the objective level needs a transformation that scales: erc, linear, exp or sigma");
  }
  Index least_batch() const override { return 256; }  // a quantile of sixteen rows says nothing about the tail

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const ScaleRows scale(rows);
    const double sum = scale.s().sum();
    const double q = quantile(scale.z());
    if (gradient != nullptr) {
      // log 0 = −infinity falls outside every window.
      Eigen::ArrayXd window = (-0.5 * ((scale.z() / q).log() / bandwidth).square()).exp();
      window /= std::max(window.sum(), std::numeric_limits<double>::min());
      Eigen::ArrayXXd gradient_u = scale.s() / sum, curvature_u = gradient_u;
      for (Index i = 0; i < scale.count(); ++i) {
        gradient_u(i, scale.occurred(i)) -= window[i];
        curvature_u(i, scale.occurred(i)) += window[i];
      }
      scale.back(gradient_u, curvature_u, gradient, curvature);
    }
    return std::log(sum / static_cast<double>(scale.count() * scale.sides())) + std::log(q);
  }

 private:
  static constexpr double bandwidth = 0.2;  // in log units; measured better than .3 and .5

  double quantile(const Eigen::ArrayXd& z) const {
    std::vector<double> sorted(z.data(), z.data() + z.size());
    const double n = static_cast<double>(sorted.size());
    const auto at = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(confidence_ * n), 1.0, n)) - 1;
    std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
    if (sorted[static_cast<std::size_t>(at)] > 0) return sorted[static_cast<std::size_t>(at)];
    // So many residuals are exactly 0 that the quantile is: the smallest other one stands in for it.
    double least = infinity;
    for (const double value : sorted)
      if (value > 0) least = std::min(least, value);
    return std::isinf(least) ? 1 : least;
  }

  double confidence_;
};

}  // namespace

Listed<Objective> level_entry() {
  const auto make = [](std::string_view argument) { return std::make_unique<Level>(parse_confidence(argument, "level:A")); };
  return {"level", "level:A, narrowest at one confidence level (0.9, or alpha 0.1)", make, "level:0.9", true};
}

}  // namespace taut
