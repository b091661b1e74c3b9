// The paper's objective as it is written, for any transformation.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

// ℓ_all = mean over pairs m ≠ n of √φ⁻¹(φ(a_n; g_n); g_m), each row's score seen by every other row. O(N²) over the rows given:
// the caller cuts large sets into blocks. The derivative of the inverse comes from implicit differentiation.
// With two sides the half-width of row m is the mean of its two ends. Rows m whose set is empty or the whole line count as
// width 0 and have no gradient: there is none.
double pair_sum(const ObjectiveRows& rows, Matrix* gradient);

}  // namespace taut
