#include <taut/core/beta.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace taut {

namespace {

// log Γ(x) - [(x - 1/2) log x - x + log(2π)/2] for x >= 10, by Stirling's series. The omitted terms are below 1e-17.
double stirling_remainder(double x) {
  constexpr std::array terms{1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12};
  const double square = 1 / (x * x);
  double sum = 0;
  for (const double term : terms) sum = sum * square + term;
  return sum / x;
}

// The continued fraction of the incomplete beta function by Lentz's method. It converges fast if x <= (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300, tolerance = 1e-16;
  constexpr int max_steps = 100000;  // about sqrt(max(a, b)) steps are needed
  const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m <= max_steps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < tolerance) break;
  }
  return value;
}

}  // namespace

// The probabilities follow from p(j + 1) / p(j) = (n - j)(j + a) / ((j + 1)(n - j - 1 + b)), started at the mode and divided by
// their sum. This avoids logarithms of large factorials, which would lose digits.
Probabilities beta_binomial(Index n, double a, double b) {
  constexpr double negligible = 1e-20;
  const auto ratio = [&](Index j) {
    const auto x = static_cast<double>(j), rest = static_cast<double>(n - j);
    return rest * (x + a) / ((x + 1) * (rest - 1 + b));
  };
  // The mode is at n if b < 1, and at 0 if a < 1.
  const double peak = b < 1                 ? static_cast<double>(n)
                      : a < 1 || a + b <= 2 ? 0
                                            : static_cast<double>(n + 1) * (a - 1) / (a + b - 2);
  const Index mode = std::clamp<Index>(static_cast<Index>(peak), 0, n);
  std::vector<double> below, above{1};
  double p = 1;
  for (Index j = mode; j > 0 && p > negligible; --j) below.push_back(p /= ratio(j - 1));
  p = 1;
  for (Index j = mode; j < n && p > negligible; ++j) above.push_back(p *= ratio(j));

  Probabilities result{mode - static_cast<Index>(below.size()), {}};
  result.values.assign(below.rbegin(), below.rend());
  result.values.insert(result.values.end(), above.begin(), above.end());
  double sum = 0;
  for (const double value : result.values) sum += value;
  for (double& value : result.values) value /= sum;
  return result;
}

// Stirling's series with the large terms cancelled by hand. Arguments below 10 are first raised with B(a, b) = B(a+1, b)(a+b)/a.
double log_beta(double a, double b) {
  double raised = 0;
  for (; a < 10; ++a) raised += std::log1p(b / a);
  for (; b < 10; ++b) raised += std::log1p(a / b);
  const double large = (a - 0.5) * std::log1p(b / a) + b * std::log1p(a / b);
  return raised - large + 0.5 * std::log(2 * std::numbers::pi / b) + stirling_remainder(a) + stirling_remainder(b) -
         stirling_remainder(a + b);
}

double beta_cdf(double x, double a, double b) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_cdf(1 - x, b, a);
  return std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta(a, b)) * beta_fraction(x, a, b) / a;
}

// Newton's method on the distribution function. A step that leaves the bracket [low, high] is replaced by bisection.
double beta_quantile(double p, double a, double b) {
  if (!(p > 0)) return 0;
  if (p >= 1) return 1;
  double low = 0, high = 1, x = a / (a + b);
  const double log_norm = log_beta(a, b);
  for (int step = 0; step < 200 && high - low > 1e-16 * high; ++step) {
    const double excess = beta_cdf(x, a, b) - p;
    (excess < 0 ? low : high) = x;
    const double density = std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - log_norm);
    const double next = x - excess / density;
    const double inside = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(inside - x) <= 1e-16 * x) return inside;
    x = inside;
  }
  return x;
}

// P(X <= x) = P(B >= p) for B ~ Beta(x + 1, n - x).
double binomial_cdf(Index x, Index n, double p) {
  if (x < 0) return 0;
  if (x >= n) return 1;
  return beta_cdf(1 - p, static_cast<double>(n - x), static_cast<double>(x + 1));
}

double beta_binomial_cdf(Index x, Index n, double a, double b) {
  const Probabilities distribution = beta_binomial(n, a, b);
  double sum = 0;
  for (Index j = distribution.first; j <= std::min(x, distribution.first + static_cast<Index>(distribution.values.size()) - 1);
       ++j)
    sum += distribution.values[static_cast<std::size_t>(j - distribution.first)];
  return std::min(sum, 1.0);
}

Index beta_binomial_quantile(double p, Index n, double a, double b) {
  const Probabilities distribution = beta_binomial(n, a, b);
  double sum = 0;
  Index x = distribution.first;
  for (const double value : distribution.values) {
    sum += value;
    if (sum >= p) return x;
    ++x;
  }
  return x - 1;
}

Band binomial_band(Index successes, Index n, double confidence) {
  const auto hits = static_cast<double>(successes), misses = static_cast<double>(n - successes);
  const double tail = 0.5 * (1 - confidence);
  return {successes == 0 ? 0.0 : beta_quantile(tail, hits, misses + 1),
          successes == n ? 1.0 : beta_quantile(1 - tail, hits + 1, misses)};
}

}  // namespace taut
