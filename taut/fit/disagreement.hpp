// Weighted means of the predictions of several predictors, and how far these lie apart.
#pragma once

#include <vector>

namespace taut {

// A single predictor of weight 1 keeps every bit.
void add_weighted(std::vector<double>& sum, const std::vector<double>& values, double weight);

// Adds `share` times the weighted mean distance of the predictions from their weighted mean. (Squares could overflow.)
void add_disagreement(std::vector<double>& sum, const std::vector<std::vector<double>>& predictions,
                      const std::vector<double>& weights, double share);

}  // namespace taut
