#include <experiments/paired.hpp>

#include <experiments/figures.hpp>
#include <taut/core/types.hpp>
#include <taut/metric/beta.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double safety = 1.25;  // of the standard error; paired.hpp says what for

// To rounding: the widths of targets in steps are sums of multiples of a step.
bool has_ties(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double rounding = 1e-9 * values.back();
  return std::adjacent_find(values.begin(), values.end(), [=](double a, double b) { return b - a <= rounding; }) != values.end();
}

}  // namespace

// P(|T| >= t) = I_{ν/(ν + t²)}(ν/2, 1/2)
double student_two_sided(double t, double degrees) {
  if (std::isnan(t)) return missing;
  if (std::isinf(t)) return 0;
  return beta_cdf(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
}

PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c, e;  // of each halving; of e without its sign, which says only which half came first
  for (std::size_t i = 0; i + 1 < a.size(); i += 2) {
    const double first = a[i] - b[i], second = a[i + 1] - b[i + 1];
    c.push_back((first + second) / 2);
    e.push_back(std::abs(first - second) / 2);
  }
  const double mean = summarise(c).mean;
  if (!std::isfinite(mean)) return {mean, missing, missing};

  const auto count = static_cast<double>(e.size());
  double squares = 0, as_far = 0, averaged = 0;
  for (std::size_t m = 0; m < e.size(); ++m) {
    squares += e[m] * e[m] / count;
    averaged += (c[m] - mean) * (c[m] - mean) / count;  // sums to (1 - 1/M) S
    as_far += e[m] >= std::abs(mean) ? 1 : 0;
  }
  const double error = safety * std::sqrt(squares - std::min(averaged, squares / 2)), by_rank = (1 + as_far) / (count + 1);
  const double by_student = error > 0 ? student_two_sided(mean / error, count) : 0;
  const bool is_discrete = error == 0 || has_ties(e);
  return {mean, error, is_discrete ? std::max(by_student, by_rank) : by_student};
}

}  // namespace taut
