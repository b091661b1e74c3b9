// Scores of quantiles and of whole predictive distributions.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// (y - q)(p - 1{y < q}): p for a quantile too low, 1 - p for one too high.
double pinball(double quantile, double y, double p);

// One row of quantiles per y, one column per p: the sum over the columns, its mean over the rows.
double pinball(const Matrix& quantiles, std::span<const double> y, std::span<const double> p);

// The continuous ranked probability score ∫ (F(v) - 1{y <= v})² dv of a normal law: with w = (y - μ)/σ, φ and Φ its density and
// distribution function, σ (w (2Φ(w) - 1) + 2φ(w) - 1/√π); |y - μ| when σ = 0. σ < 0 is refused.
double gaussian_crps(double mean, double deviation, double y);

// The same of a law with equal steps at `points`: mean|x_i - y| - ½ mean|x_i - x_j|, sorted, in O(m log m).
double step_crps(std::vector<double> points, double y);

}  // namespace taut
