// Half-widths of any transformation and their derivatives, by the inverse function theorem: no class has to supply the derivative
// of its inverse.
#pragma once

#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

// Δ = √φ⁻¹(b; g), with a = Δ² = φ⁻¹(b; g):  ∂Δ/∂b = 1 / (2Δ φ_a(a; g)),  ∂Δ/∂g = −∂Δ/∂b · φ_g(a; g).
// An empty set and the whole line have no half-width to differentiate: both are counted as 0.
struct HalfWidth {
  HalfWidth() = default;
  HalfWidth(const Transform& phi, double b, const double* g) : a(phi.inverse(b, g)) {
    if (a > 0 && !std::isinf(a)) differentiate(phi.slope(a, g));
  }
  // From a and the slope there.
  HalfWidth(double at, double slope) : a(at) {
    if (a > 0 && !std::isinf(a)) differentiate(slope);
  }

  void differentiate(double slope) {
    const double per_score_or_infinity = 1 / (2 * std::sqrt(a) * slope);
    if (!std::isfinite(per_score_or_infinity)) return;
    value = std::sqrt(a);
    per_score = per_score_or_infinity;
  }

  double a = 0;
  double value = 0;
  double per_score = 0;  // ∂Δ/∂b

  bool exists() const { return value > 0; }
};

}  // namespace taut
