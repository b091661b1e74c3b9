#include <taut/metric/distribution.hpp>

#include <taut/calibrate/crps.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {

double pinball(double quantile, double y, double p) { return y < quantile ? (1 - p) * (quantile - y) : p * (y - quantile); }

double pinball(const Matrix& quantiles, std::span<const double> y, std::span<const double> p) {
  double sum = 0;
  for (Index row = 0; row < quantiles.rows(); ++row)
    for (Index k = 0; k < quantiles.cols(); ++k)
      sum += pinball(quantiles(row, k), y[static_cast<std::size_t>(row)], p[static_cast<std::size_t>(k)]);
  return sum / static_cast<double>(quantiles.rows());
}

double gaussian_crps(double mean, double deviation, double y) {
  if (!(deviation >= 0)) throw Error("the deviation of a normal law is at least 0, got " + print_number(deviation));
  if (deviation == 0) return std::abs(y - mean);
  const double w = (y - mean) / deviation;
  const double density = std::exp(-0.5 * w * w) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return deviation * (w * std::erf(w / std::numbers::sqrt2) + 2 * density - std::numbers::inv_sqrtpi);
}

double step_crps(std::vector<double> points, double y) {
  std::sort(points.begin(), points.end());
  return crps_of_sorted(points, y);
}

}  // namespace taut
