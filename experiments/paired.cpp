#include <experiments/paired.hpp>

#include <experiments/markdown.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double safety = 1.25;  // factor of the standard error between halves, because a row may affect both

// Whether two values are equal up to rounding. The widths for targets in steps are sums of multiples of a step.
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

namespace {

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

PairedDifference paired_difference(const PairedValues& a, const PairedValues& b) {
  const auto d = differences(a.halves, b.halves), q = differences(a.quarters, b.quarters);
  const double mean = summarise(d).mean;
  if (!std::isfinite(mean)) return {mean, missing, missing};

  // Absolute values: the sign only depends on which half comes first.
  std::vector<double> between_halves, e;
  for (std::size_t i = 0; i + 1 < d.size(); i += 2) between_halves.push_back(safety * std::abs(d[i] - d[i + 1]) / 2);
  for (std::size_t i = 0; i + 3 < q.size(); i += 4) e.push_back(std::abs((q[i] + q[i + 1]) - (q[i + 2] + q[i + 3])) / 4);
  const double error = std::sqrt(std::max(mean_square(e), mean_square(between_halves)));
  if (e.empty() || !std::isfinite(mean_square(e))) return {mean, missing, missing};

  const auto count = static_cast<double>(e.size());
  const auto as_far = static_cast<double>(std::count_if(e.begin(), e.end(), [&](double one) { return one >= std::abs(mean); }));
  const double by_rank = (1 + as_far) / (count + 1), by_student = error > 0 ? student_two_sided(mean / error, count) : 0;
  const bool needs_rank = e.size() < 3 || error == 0 || has_ties(e);
  return {mean, error, needs_rank ? std::max(by_student, by_rank) : by_student};
}

PairedDifference described_difference(const std::vector<double>& a, const std::vector<double>& b) {
  const Summary summary = summarise(differences(a, b));
  return {summary.mean, std::isfinite(summary.mean) ? summary.error : missing, missing};
}

}  // namespace taut
