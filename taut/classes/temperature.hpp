// One number that makes probabilities honest: logits are divided by a temperature.
#pragma once

#include <taut/core/types.hpp>

#include <span>

namespace taut {

// β = 1 / temperature with the least mean log loss on rows that the logits were not fitted to; labels beyond the columns of
// `logits` are left out. 1 where nothing is known.
double best_inverse_temperature(const Matrix& logits, std::span<const Index> labels, int threads);

}  // namespace taut
