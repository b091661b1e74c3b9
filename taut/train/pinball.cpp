#include <taut/train/interval_quality.hpp>
#include <taut/train/level_names.hpp>
#include <taut/train/scale_rows.hpp>

#include <cmath>

namespace taut {

namespace {

// s(x) as the conditional quantile of r at one level t:  mean of (r − s)(t − 1{r <= s}),  ∂/∂u = s (1{r <= s} − t) / N.
// The loss is linear in s, so its curvature is 0; s / N keeps a step in u below one.
class Pinball final : public Objective {
 public:
  explicit Pinball(double confidence) : confidence_(confidence) {}

  bool fits(const Transform& transform) const override { return transform.is_scale(); }
  std::vector<double> levels() const override { return {confidence_}; }

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const ScaleRows scale(rows);
    const double n = static_cast<double>(scale.count());
    const Eigen::ArrayXXd all_s = scale.s();
    const auto push = [&](Index row, double s) {
      return (rows.residual[static_cast<std::size_t>(row)] <= s ? 1.0 : 0.0) - confidence_;
    };
    double loss = 0;
    for (Index i = 0; i < scale.count(); ++i) {
      const double s = all_s(i, scale.occurred(i));
      loss += (s - rows.residual[static_cast<std::size_t>(i)]) * push(i, s) / n;
    }
    const auto of_u = [&](Index row, Index side) {
      const double s = all_s(row, side);
      return side == scale.occurred(row) ? Slope{s * push(row, s) / n, s / n} : Slope{0, 0};
    };
    if (gradient != nullptr) scale.back(of_u, gradient, curvature);
    return loss;
  }

  double validation_loss(const ObjectiveRows& rows) const override {
    return std::log(interval_quality(rows, confidence_).interval_score);
  }

 private:
  double confidence_;
};

}  // namespace

Listed<Objective> pinball_objective() {
  const auto make = [](std::string_view argument) { return std::make_unique<Pinball>(parse_confidence(argument, "pinball:C")); };
  return {"pinball", "pinball:C, the conditional quantile of the residual at one confidence level (0.9, or alpha=0.1)", make,
          "pinball:0.9", true};
}

}  // namespace taut
