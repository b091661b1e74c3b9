// The paper's objective as it is written, for any transformation.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

// ℓ_all = mean over pairs m ≠ n of √φ⁻¹(φ(a_n; g_n); g_m), each row's score seen by every other row. O(N²) over the rows given.
// The derivative of the inverse comes from implicit differentiation.
// With two sides the half-width of row m is the mean of its two ends. Rows m whose set is empty or the whole line count as
// width 0 and have no gradient.
// The curvature of a width Δ is Δ (∂log Δ/∂g)²; both matrices or neither.
double pair_sum(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature);

// The mean of the pair sums of blocks of neighbouring rows, sixteen each as in the paper's mini-batches: a large set costs O(N).
double blocks_of_pairs(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature);

}  // namespace taut
