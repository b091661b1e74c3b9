#include <taut/calibrate/coverage_stratum.hpp>

#include <taut/calibrate/law.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

CoverageStratum exact_stratum(const Law& law, Index units, double confidence) {
  const Index k = law.rank(confidence), last = std::max(k, law.last_rank(confidence));
  if (k > law.rows()) return {units, 1, 0, 1, 0};
  const auto ranks = static_cast<double>(law.rows() + 1);
  return {units, static_cast<double>(k), ranks - static_cast<double>(k), static_cast<double>(last),
          ranks - static_cast<double>(last)};
}

CoverageStratum effective_stratum(Index units, double effective_rows, double at_least, double at_most) {
  const double ranks = std::max(effective_rows, 0.0) + 1;
  return {units, at_least * ranks, (1 - at_least) * ranks, at_most * ranks, std::max(0.0, 1 - at_most) * ranks};
}

double effective_rows_at_worst(std::span<const double> weights, double confidence) {
  if (weights.empty() || !(weights.front() > 0)) return 0;
  // The rarer of the two outcomes costs more, and takes the largest weights.
  const double rare = std::min(confidence, 1 - confidence);
  double sum = 0, squares = 0;
  for (const double weight : weights) {
    const double share = weight / weights.front();
    sum += share;
    squares += share * share;
  }
  double left = rare * sum, of_rare = 0;
  for (const double weight : weights) {
    const double share = weight / weights.front(), taken = std::min(left, share);
    if (!(taken > 0)) break;
    of_rare += taken * share;
    left -= taken;
  }
  const double common = 1 - rare;
  return rare * common * sum * sum / (common * common * of_rare + rare * rare * (squares - of_rare));
}

double share_with_ties(const Law& law, double confidence) {
  const double quantile = law.quantile(confidence);
  if (quantile == infinity) return 1;
  const Law::Weights weights = law.weights_above(quantile);
  return std::clamp((weights.all - weights.own - weights.beyond) / weights.all, confidence, 1.0);
}

Rows thinned_rows(RowsView rows, std::size_t most) {
  const std::size_t count = std::min(most, rows.size());
  Rows result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(rows[i * rows.size() / count]);
  return result;
}

}  // namespace taut
