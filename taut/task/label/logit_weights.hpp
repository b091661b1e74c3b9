// How much each member of f counts: the weights ≥ 0 of logits whose weighted sum has the least log loss.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Logits of the same rows by several members, rows x labels, from what has not seen these rows. The loss is convex in the
// weights; one member alone gets its inverse temperature. With doubt_of() the rows.
std::vector<double> logit_weights(const std::vector<const Matrix*>& members, std::span<const Index> labels, int threads);

// Σ w_j z_j; members of weight 0 need no logits.
Matrix weighted_logits(const std::vector<const Matrix*>& members, std::span<const double> weights);

}  // namespace taut
