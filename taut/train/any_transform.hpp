// The objectives of the paper for any transformation, by the derivatives of its half-widths.
#pragma once

#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

// The half-width of any transformation and its derivatives, by the inverse function theorem. No class has to supply the
// derivative of its inverse.
//   Δ = √φ⁻¹(b; g), with a = Δ² = φ⁻¹(b; g):  ∂Δ/∂b = 1 / (2Δ φ_a(a; g)),  ∂Δ/∂g = −∂Δ/∂b · φ_g(a; g)
// An empty set and the whole line have no half-width to differentiate: both count as 0.
struct HalfWidth {
  HalfWidth() = default;
  HalfWidth(const Transform& phi, double b, const double* g) : a(phi.inverse(b, g)) {
    if (a > 0 && !std::isinf(a)) differentiate(phi.slope(a, g));
  }
  // From a and φ_a(a; g).
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

// The quantile of `values` at this level. If it is not above `minimum` (many residuals may be exactly 0), the smallest value
// above `minimum`, or +infinity if there is none.
double level_quantile(const std::vector<double>& values, double confidence, double minimum, RowWeights weights = {});

// The weight of a row in the derivative of the quantile: a Gaussian kernel of log(residual / half-width).
double quantile_window(double log_ratio);

// The single-level objective of the paper: J = log mean Δ with Δ = √φ⁻¹(q; g), q the level's quantile of b = φ(a; g), the mean
// over rows and sides:
//   ∂J = Σ ∂Δ/∂g dg / ΣΔ + (Σ ∂Δ/∂q / ΣΔ) dq,   dq = Σ ω_k φ_g dg_k,  ω_k ∝ K(log(r_k / Δ_k)) ∂log Δ_k/∂q:
// rows whose residual is near the end of their interval move the quantile. The curvature of a width is Δ (∂log Δ/∂g)².
// Empty sets and whole lines count as width 0 and have no gradient.
double level_width(const ObjectiveRows& rows, double confidence, Matrix* gradient, Matrix* curvature);

// The all-levels objective of the paper: ℓ_all = mean over pairs m ≠ n of √φ⁻¹(φ(a_n; g_n); g_m), the half-width at row m for the
// score of row n. It costs O(N²). The derivative of the inverse comes from implicit differentiation. With two sides, the
// half-width of row m is the mean of its two ends. Rows m whose set is empty or the whole line count as width 0 and have no
// gradient. The curvature of a width Δ is Δ (∂log Δ/∂g)². Both matrices are given, or both are null.
double pair_sum(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature);

// The mean of pair_sum() over blocks of sixteen consecutive rows, like the mini-batches of the paper. It costs O(N).
double blocks_of_pairs(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature);

}  // namespace taut
