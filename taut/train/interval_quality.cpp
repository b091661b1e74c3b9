#include <taut/train/interval_quality.hpp>

#include <taut/calibrate/rank.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace taut {

double sample_quantile(std::vector<double> values, double confidence) {
  const Index n = std::ssize(values);
  const Index at = std::min(exact_rank(n - 1, confidence), n) - 1;  // the exact rank: 0.55 · 100 is 55, not 56
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

namespace {

constexpr std::array judged_levels = {0.68, 0.9, 0.95};

std::vector<double> conformity_scores(const ObjectiveRows& rows) {
  std::vector<double> b(static_cast<std::size_t>(rows.rows()));
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = rows.transform.conformity(rows.residual[i], rows.params(static_cast<Index>(i), rows.side[i]));
  return b;
}

// Sums over the rows, of the intervals at the quantile q of the conformity scores.
IntervalQuality sums_at(const ObjectiveRows& rows, double q, double confidence) {
  const double penalty = 2 / (1 - confidence);
  IntervalQuality quality;
  for (std::size_t i = 0; i < rows.residual.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const double below = std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::below)));
    const double above = rows.sides == 1 ? below : std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::above)));
    const double reach = rows.side[i] == Side::below ? below : above;
    quality.width += below + above;
    quality.interval_score += below + above + penalty * std::max(0.0, rows.residual[i] - reach);
  }
  return quality;
}

// Quantiles of the scores of all processes: the upper edge of the bin that holds them. Scores beyond the edges are in the first
// and the last bin.
std::vector<double> shared_quantiles(const ObjectiveRows& rows, const SumOverProcesses& sum_all) {
  constexpr double reach = 12, bins_per_unit = 200;
  std::vector<double> counts(static_cast<std::size_t>(2 * reach * bins_per_unit) + 1);
  const double last = static_cast<double>(counts.size() - 1);
  for (const double b : conformity_scores(rows))
    ++counts[static_cast<std::size_t>(std::clamp(std::ceil((b + reach) * bins_per_unit), 0.0, last))];
  sum_all(counts);
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  std::vector<double> quantiles;
  for (const double confidence : judged_levels) {
    const auto bin = std::lower_bound(counts.begin(), counts.end(), confidence * counts.back()) - counts.begin();
    quantiles.push_back(static_cast<double>(bin) / bins_per_unit - reach);
  }
  return quantiles;
}

}  // namespace

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence) {
  IntervalQuality quality = sums_at(rows, sample_quantile(conformity_scores(rows), confidence), confidence);
  quality.width /= static_cast<double>(rows.rows());
  quality.interval_score /= static_cast<double>(rows.rows());
  return quality;
}

double mean_log_interval_score(const ObjectiveRows& rows, const SumOverProcesses& sum_all) {
  constexpr std::size_t levels = judged_levels.size();
  double sum = 0;
  if (!sum_all) {
    for (const double confidence : judged_levels) sum += std::log(interval_quality(rows, confidence).interval_score);
    return sum / levels;
  }
  const auto quantiles = shared_quantiles(rows, sum_all);
  std::array<double, levels + 1> sums{};
  for (std::size_t i = 0; i < levels; ++i) sums[i] = sums_at(rows, quantiles[i], judged_levels[i]).interval_score;
  sums[levels] = static_cast<double>(rows.rows());
  sum_all(sums);
  for (std::size_t i = 0; i < levels; ++i) sum += std::log(std::max(sums[i] / sums[levels], std::numeric_limits<double>::min()));
  return sum / levels;
}

}  // namespace taut
