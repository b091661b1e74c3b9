// Probabilities from logits, and the temperature that makes them right on average.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace taut {

// Logits of labels ↔ probabilities.

// p_k = e^(β z_k) / Σ e^(β z_j); in place is fine. A logit of −infinity is a probability of 0.
inline void softmax(std::span<const double> logits, double beta, std::span<double> p) {
  double most = -infinity, sum = 0;
  for (const double z : logits) most = std::max(most, z);
  for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] = std::exp(beta * (logits[k] - most));
  for (double& one : p) one /= sum;
}

// −log p_y = log Σ e^(β (z_k − z_y)).
inline double log_loss_of(std::span<const double> logits, double beta, Index label) {
  double most = -infinity, sum = 0;
  for (const double z : logits) most = std::max(most, z);
  for (const double z : logits) sum += std::exp(beta * (z - most));
  return std::log(sum) - beta * (logits[static_cast<std::size_t>(label)] - most);
}

// One number that makes probabilities honest: logits are divided by a temperature.

// So many rows, all of them predicted right, prove no more than that about one in so many is wrong. Each of them counts as if it
// could have had any other label, with this share: else logits that are never wrong on a small table would be multiplied without
// bound, and the first row that they are wrong on cost all that was won (Platt 1999).
inline double doubt_of(Index rows) { return 1 / static_cast<double>(rows + 1); }

// β = 1 / temperature with the least mean log loss on rows that the logits were not fitted to; labels beyond the columns of
// `logits` are left out. 1 where nothing is known.
double best_inverse_temperature(const Matrix& logits, std::span<const Index> labels, int threads, double doubt = 0);

}  // namespace taut
