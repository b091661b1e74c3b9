#include <taut/train/interval_quality.hpp>

#include <cmath>

namespace taut {

namespace {

// The paper's "erc (error fit)": mean of (g² − a)², a = r²;  ∂/∂g = 4g (g² − a) / N,  curvature 8g² / N + a floor, because g
// passes through 0. A least-squares fit of squared residuals: their heavy tail makes it unstable, it is kept as a baseline.
class ErrorFit final : public Objective {
 public:
  // Only where s = |g|, as in erc.
  bool fits(const Transform& transform) const override {
    const double g = 2;
    return transform.n_params() == 1 && transform.is_scale() && std::abs(transform.log_scale(&g) - std::log(2.0)) <= 1e-3;
  }

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const double n = static_cast<double>(rows.rows());
    if (gradient != nullptr) {
      gradient->setZero(rows.rows(), rows.g.cols());
      curvature->setConstant(rows.rows(), rows.g.cols(), least_curvature / n);
    }
    double loss = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index column = rows.sides == 2 ? static_cast<Index>(rows.side[at]) : 0;
      const double g = rows.g(i, column), excess = g * g - rows.residual[at] * rows.residual[at];
      loss += excess * excess / n;
      if (gradient == nullptr) continue;
      (*gradient)(i, column) = 4 * g * excess / n;
      (*curvature)(i, column) += 8 * g * g / n;
    }
    return loss;
  }

  double validation_loss(const ObjectiveRows& rows) const override { return mean_log_interval_score(rows); }

 private:
  static constexpr double least_curvature = 1;
};

}  // namespace

Listed<Objective> error_fit_objective() {
  return {"error-fit", "erc only: g^2 fitted to the squared residual by least squares",
          [](std::string_view) { return std::make_unique<ErrorFit>(); }};
}

}  // namespace taut
