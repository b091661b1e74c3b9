#include <experiments/paired.hpp>

#include <experiments/named_values.hpp>
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
  std::vector<double> differences, e;  // e without its sign, which says only which half came first
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const double mean = summarise(differences).mean;
  if (!std::isfinite(mean)) return {mean, missing, missing};

  double squares = 0, as_far = 0;
  for (std::size_t i = 0; i + 1 < differences.size(); i += 2) {
    e.push_back(std::abs(differences[i] - differences[i + 1]) / 2);
    squares += e.back() * e.back();
    as_far += e.back() >= std::abs(mean) ? 1 : 0;
  }
  const auto count = static_cast<double>(e.size());
  const double error = safety * std::sqrt(squares / count), by_rank = (1 + as_far) / (count + 1);
  const double by_student = error > 0 ? student_two_sided(mean / error, count) : 0;
  const bool needs_rank = e.size() < 3 || error == 0 || has_ties(e);
  return {mean, error, needs_rank ? std::max(by_student, by_rank) : by_student};
}

}  // namespace taut
