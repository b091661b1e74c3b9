#include <taut/train/pair_sum.hpp>

#include <cmath>

namespace taut {

double pair_sum(const ObjectiveRows& rows, Matrix* gradient) {
  const Transform& phi = rows.transform;
  const Index n = rows.rows(), params = phi.n_params();
  const double weight = 1.0 / (static_cast<double>(n) * static_cast<double>(n - 1) * rows.sides);
  std::vector<double> phi_g_n(static_cast<std::size_t>(params)), phi_g_m(static_cast<std::size_t>(params));
  if (gradient != nullptr) gradient->setZero(n, params * rows.sides);

  double loss = 0;
  for (Index i = 0; i < n; ++i) {
    const Side side_n = rows.side[static_cast<std::size_t>(i)];
    const double r = rows.residual[static_cast<std::size_t>(i)];
    const double* g_n = rows.params(i, side_n);
    const double b = phi.value(r * r, g_n);
    double pull = 0;  // Σ over m of ∂√â/∂b
    for (Index m = 0; m < n; ++m) {
      if (m == i) continue;
      for (int side = 0; side < rows.sides; ++side) {
        const double* g_m = rows.params(m, static_cast<Side>(side));
        const double a = phi.inverse(b, g_m);
        if (!(a > 0) || std::isinf(a)) continue;
        const double root = std::sqrt(a);
        loss += weight * root;
        if (gradient == nullptr) continue;
        const double per_b = weight / (2 * root * phi.slope(a, g_m));
        pull += per_b;
        phi.grad(a, g_m, phi_g_m.data());
        for (Index p = 0; p < params; ++p) (*gradient)(m, side * params + p) -= per_b * phi_g_m[static_cast<std::size_t>(p)];
      }
    }
    if (gradient == nullptr || r == 0) continue;
    phi.grad(r * r, g_n, phi_g_n.data());
    const Index first = rows.sides == 2 ? static_cast<Index>(side_n) * params : 0;
    for (Index p = 0; p < params; ++p) (*gradient)(i, first + p) += pull * phi_g_n[static_cast<std::size_t>(p)];
  }
  return loss;
}

}  // namespace taut
