#include <taut/train/interval_quality.hpp>
#include <taut/train/scale_rows.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Like `conditional`, but each side is fitted to its own rows only: J = mean of u of the side that occurred + log mean z,
// ∂J/∂u = 1{occurred} (1/N − z/Σz), minimiser s_side ∝ E[r|x, side]. A far mode that a target rarely falls on keeps its reach,
// where `conditional` would give it up: on a bimodal target the interval score at .9 was 9 % smaller. With one side the two
// are the same. A mini-batch uses mean u + mean z, which has the same minimiser and no bias.
class Sidewise final : public Objective {
 public:
  bool fits(const Transform& transform) const override { return transform.is_scale(); }

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const ScaleRows scale(rows);
    const double n = static_cast<double>(scale.count());
    const double sum_z = std::max(scale.z().sum(), std::numeric_limits<double>::min());
    const double share = 1 / n, per_z = rows.sample ? share : 1 / sum_z;
    double mean_u = 0;
    for (Index i = 0; i < scale.count(); ++i) mean_u += scale.u()(i, scale.occurred(i)) * share;
    if (gradient != nullptr) {
      const auto of_u = [&](Index row, Index side) {
        return side == scale.occurred(row) ? ScaleRows::pulled(share, scale.z()[row] * per_z) : Slope{0, 0};
      };
      scale.back(of_u, gradient, curvature);
    }
    return mean_u + (rows.sample ? sum_z * share : std::log(sum_z * share));
  }

  bool judged_by_interval_score() const override { return true; }
  double validation_loss(const ObjectiveRows& rows) const override { return mean_log_interval_score(rows); }
};

}  // namespace

Listed<Objective> sidewise_objective() {
  return {"sidewise", "as conditional, each side of a skewed target fitted to its own rows",
          [](std::string_view) { return std::make_unique<Sidewise>(); }};
}

}  // namespace taut
