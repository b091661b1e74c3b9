// Softmax and temperature scaling.
#pragma once

#include <taut/core/types.hpp>
#include <taut/task/label/row_labels.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace taut {

// p_k = e^(β z_k) / Σ e^(β z_j). `p` may be `logits`. A logit of −infinity gives a probability of 0.
inline void softmax(std::span<const double> logits, double beta, std::span<double> p) {
  double maximum = -infinity, sum = 0;
  for (const double z : logits) maximum = std::max(maximum, z);
  for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] = std::exp(beta * (logits[k] - maximum));
  for (double& one : p) one /= sum;
}

// −log p_y = log Σ e^(β (z_k − z_y)).
inline double log_loss_of(std::span<const double> logits, double beta, Index label) {
  double maximum = -infinity, sum = 0;
  for (const double z : logits) maximum = std::max(maximum, z);
  for (const double z : logits) sum += std::exp(beta * (z - maximum));
  return std::log(sum) - beta * (logits[static_cast<std::size_t>(label)] - maximum);
}

// Label smoothing for temperature scaling (Platt 1999). n correct rows only show that the error rate is about 1/n or lower;
// assume 1/(n + 1). A row's label gets the weight 1 − d, and d is spread over all labels. Without smoothing, logits that are
// right on every row of a small table would be multiplied without bound, and the first wrong row would have a huge loss.
inline double label_smoothing(Index rows) { return 1 / static_cast<double>(rows + 1); }

// β = 1 / temperature with the lowest mean log loss on rows that the logits were not fitted to. Labels beyond the columns of
// `logits` are skipped. Returns 1 if no other value is better.
double best_inverse_temperature(const Matrix& logits, RowLabels labels, int threads, double doubt = 0);

}  // namespace taut
