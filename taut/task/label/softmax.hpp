// Logits of labels ↔ probabilities.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace taut {

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

}  // namespace taut
