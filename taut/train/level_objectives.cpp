// Objectives that aim at given confidence levels.
#include <taut/train/any_transform.hpp>
#include <taut/train/objective_names.hpp>
#include <taut/train/scale_rows.hpp>
#include <taut/train/validation.hpp>

#include <cmath>

namespace taut {

namespace {

// ℓ_α of the paper: the narrowest intervals at one level. For scale families it is exact in O(N):
//   J = log mean(s) + log q,  q the level's quantile of z = r / s,
//   ∂J/∂u = s / Σs − w,  w_k ∝ K(log z_k − log q): two probability vectors, the second a kernel around the quantile.
// With two sides mean(s) is over both ends and w belongs to the side that occurred. Other classes use level_width(). With several
// levels, J is the mean over them. A scale must compromise between levels, a class with more parameters need not. Not convex.
class Level final : public Objective {
 public:
  explicit Level(std::vector<double> confidences) : confidences_(std::move(confidences)) {}

  std::vector<double> levels() const override { return confidences_; }
  bool needs_warm_up() const override { return true; }
  Index min_batch() const override { return 256; }  // sixteen rows are too few for a quantile in the tail

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    double loss = at_level(confidences_.front(), rows, gradient, curvature);
    Matrix other_gradient, other_curvature;
    for (const double confidence : std::span(confidences_).subspan(1)) {
      loss += at_level(confidence, rows, gradient != nullptr ? &other_gradient : nullptr, &other_curvature);
      if (gradient == nullptr) continue;
      *gradient += other_gradient;
      *curvature += other_curvature;
    }
    const double share = 1 / static_cast<double>(confidences_.size());
    if (gradient != nullptr) {
      *gradient *= share;
      *curvature *= share;
    }
    return loss * share;
  }

 private:
  static double at_level(double confidence, const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) {
    if (!rows.transform.is_scale()) return level_width(rows, confidence, gradient, curvature);
    const ScaleRows scale(rows);
    const Eigen::ArrayXXd s = scale.s();
    const double sum = scale.sum(s);
    const double q = quantile(scale.z(), confidence, rows.weight);
    if (gradient != nullptr) {
      Eigen::ArrayXd weight = (scale.z() / q).log().unaryExpr(&quantile_window);
      weight /= std::max(scale.sum(weight), std::numeric_limits<double>::min());
      const auto of_u = [&](Index row, Index side) {
        return ScaleRows::pulled(s(row, side) / sum, side == scale.occurred(row) ? weight[row] : 0);
      };
      scale.back(of_u, gradient, curvature);
    }
    return std::log(sum / (scale.total() * scale.sides())) + std::log(q);
  }

  static double quantile(const Eigen::ArrayXd& z, double confidence, RowWeights weights) {
    const double q = level_quantile({z.data(), z.data() + z.size()}, confidence, 0, weights);
    return std::isinf(q) ? 1 : q;
  }

  std::vector<double> confidences_;
};

}  // namespace

Listed<Objective> level_objective() {
  const auto make = [](std::string_view argument) {
    std::vector<double> confidences;
    for (const auto& part : split_text(argument, ',')) confidences.push_back(parse_confidence(trim(part), "level:C"));
    return std::make_unique<Level>(std::move(confidences));
  };
  return {"level", "level:C, narrowest at one confidence level (0.9, or alpha=0.1), or at several: level:0.68,0.9,0.95", make,
          "level:0.9", true};
}

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
    const double n = scale.total();
    const Eigen::ArrayXXd all_s = scale.s();
    const auto push = [&](Index row, double s) {
      return (rows.residual[static_cast<std::size_t>(row)] <= s ? 1.0 : 0.0) - confidence_;
    };
    double loss = 0;
    for (Index i = 0; i < scale.count(); ++i) {
      const double s = all_s(i, scale.occurred(i));
      loss += scale.weight(i) * ((s - rows.residual[static_cast<std::size_t>(i)]) * push(i, s) / n);
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
