// Does a sample follow a given distribution? The Kolmogorov-Smirnov test, for tests of exact distributions.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut::testing {

// P(D >= statistic) for the largest distance D between a distribution function and that of n samples from it. Kolmogorov's series
// 2 Σ (-1)^(k-1) exp(-2 k² λ²) at λ = d + 1/(6√n) + (d - 1)/(4n), d = √n·statistic: the correction of Vrbik (2018), accurate to
// about 1e-3 at n = 10 and to 1e-4 from n = 100.
inline double kolmogorov_p_value(double statistic, Index n) {
  const double rows = static_cast<double>(n), scaled = std::sqrt(rows) * statistic;
  const double lambda = scaled + 1 / (6 * std::sqrt(rows)) + (scaled - 1) / (4 * rows);
  if (lambda < 0.2) return 1;  // 1 - 1e-12, where the series converges slowly
  double sum = 0, sign = 1;
  for (int k = 1; k <= 100; ++k, sign = -sign) {
    const double term = std::exp(-2 * k * k * lambda * lambda);
    sum += sign * term;
    if (term < 1e-17) break;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

// The largest distance between the distribution function of `values` and that of the uniform distribution on [0, 1].
inline double uniform_distance(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto below = static_cast<double>(i);
    largest = std::max({largest, (below + 1) / n - values[i], values[i] - below / n});
  }
  return largest;
}

// The p-value of "these are uniform on [0, 1]". For another continuous distribution pass F(value), for the coverage given the
// k-th of n calibration scores beta_cdf(coverage, k, n + 1 - k).
inline double uniform_fit_p_value(std::vector<double> values) {
  const auto n = static_cast<Index>(values.size());
  return kolmogorov_p_value(uniform_distance(std::move(values)), n);
}

}  // namespace taut::testing
