// The paper's single-level objective for any transformation.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

// The quantile of `values` at this level. Where it is not above `least` (many residuals may be exactly 0), the smallest value
// that is; +infinity when there is none.
double level_quantile(const std::vector<double>& values, double confidence, double least);

// How much a row counts in the quantile of the rows: a window around it, in log units of residual over half-width.
double quantile_window(double log_ratio);

// J = log mean Δ with Δ = √φ⁻¹(q; g), q the level's quantile of b = φ(a; g), the mean over rows and sides:
//   ∂J = Σ ∂Δ/∂g dg / ΣΔ + (Σ ∂Δ/∂q / ΣΔ) dq,   dq = Σ ω_k φ_g dg_k,  ω_k ∝ K(log(r_k / Δ_k)) ∂log Δ_k/∂q:
// rows whose residual is near the end of their own interval move the quantile. The curvature of a width is Δ (∂log Δ/∂g)².
// Empty sets and whole lines count as width 0 and have no gradient.
double level_width(const ObjectiveRows& rows, double confidence, Matrix* gradient, Matrix* curvature);

}  // namespace taut
