// The Beta, binomial and beta-binomial distributions, used by calibration and by metrics.
#pragma once

#include <taut/core/types.hpp>

#include <vector>

namespace taut {

// log B(a, b) for a, b > 0.
double log_beta(double a, double b);

// P(X <= x) for X ~ Beta(a, b), a, b > 0; and its inverse.
double beta_cdf(double x, double a, double b);
double beta_quantile(double p, double a, double b);

// P(X <= x) for X ~ Binomial(n, p).
double binomial_cdf(Index x, Index n, double p);

// The probabilities of X ~ Beta-binomial(n; a, b): values[i] is P(X = first + i). All others are below 1e-20 of the largest.
struct Probabilities {
  Index first;
  std::vector<double> values;
};
// Requires a >= 1 and b > 0, or b >= 1 and a > 0.
Probabilities beta_binomial(Index n, double a, double b);

// P(X <= x), and the smallest x with P(X <= x) >= p.
double beta_binomial_cdf(Index x, Index n, double a, double b);
Index beta_binomial_quantile(double p, Index n, double a, double b);

struct Band {
  double low;
  double high;
};

// The exact (Clopper-Pearson) confidence interval of a probability after `successes` of n trials.
Band binomial_band(Index successes, Index n, double confidence);

}  // namespace taut
