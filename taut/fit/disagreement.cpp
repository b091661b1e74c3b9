#include <taut/fit/disagreement.hpp>

#include <cmath>

namespace taut {

void add_weighted(std::vector<double>& sum, const std::vector<double>& values, double weight) {
  if (sum.empty()) sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += weight * values[i];
}

void add_disagreement(std::vector<double>& sum, const std::vector<std::vector<double>>& predictions,
                      const std::vector<double>& weights, double share) {
  std::vector<double> mean;
  for (std::size_t k = 0; k < weights.size(); ++k) add_weighted(mean, predictions[k], weights[k]);
  sum.resize(mean.size());
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t i = 0; i < mean.size(); ++i) sum[i] += share * weights[k] * std::abs(predictions[k][i] - mean[i]);
}

}  // namespace taut
