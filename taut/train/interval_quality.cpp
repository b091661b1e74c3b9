#include <taut/train/interval_quality.hpp>

#include <taut/calibrate/rank.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double sample_quantile(std::vector<double> values, double confidence) {
  const Index n = std::ssize(values);
  const Index at = std::min(exact_rank(n - 1, confidence), n) - 1;  // the exact rank: 0.55 · 100 is 55, not 56
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence) {
  const auto n = static_cast<std::size_t>(rows.rows());
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    b[i] = rows.transform.conformity(rows.residual[i], rows.params(row, rows.side[i]));
  }
  const double q = sample_quantile(std::move(b), confidence);

  const double penalty = 2 / (1 - confidence);
  IntervalQuality quality;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    const double below = std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::below)));
    const double above = rows.sides == 1 ? below : std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::above)));
    const double reach = rows.side[i] == Side::below ? below : above;
    quality.width += below + above;
    quality.interval_score += below + above + penalty * std::max(0.0, rows.residual[i] - reach);
  }
  quality.width /= static_cast<double>(n);
  quality.interval_score /= static_cast<double>(n);
  return quality;
}

double mean_log_interval_score(const ObjectiveRows& rows) {
  double sum = 0;
  for (const double confidence : {0.68, 0.9, 0.95}) sum += std::log(interval_quality(rows, confidence).interval_score);
  return sum / 3;
}

}  // namespace taut
