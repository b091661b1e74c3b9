// One number that makes probabilities honest: logits are divided by a temperature.
#pragma once

#include <taut/core/types.hpp>

#include <span>

namespace taut {

// So many rows, all of them predicted right, prove no more than that about one in so many is wrong. Each of them counts as if it
// could have had any other label, with this share: else logits that are never wrong on a small table would be multiplied without
// bound, and the first row that they are wrong on cost all that was won (Platt 1999).
inline double doubt_of(Index rows) { return 1 / static_cast<double>(rows + 1); }

// β = 1 / temperature with the least mean log loss on rows that the logits were not fitted to; labels beyond the columns of
// `logits` are left out. 1 where nothing is known.
double best_inverse_temperature(const Matrix& logits, std::span<const Index> labels, int threads, double doubt = 0);

}  // namespace taut
