#include <experiments/paired.hpp>

#include <experiments/figures.hpp>
#include <taut/core/types.hpp>
#include <taut/metric/beta.hpp>

#include <cmath>

namespace taut {

// P(|T| >= t) = I_{ν/(ν + t²)}(ν/2, 1/2)
double student_two_sided(double t, double degrees) {
  if (std::isnan(t)) return missing;
  if (std::isinf(t)) return 0;
  return beta_cdf(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
}

PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b, double test_to_train) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const auto count = static_cast<double>(differences.size());
  const Summary summary = summarise(differences);
  if (differences.size() < 2) return {summary.mean, missing, missing};
  const double error = summary.deviation * std::sqrt(1 / count + test_to_train);
  if (error == 0) return {summary.mean, 0, summary.mean == 0 ? 1.0 : 0.0};
  return {summary.mean, error, student_two_sided(summary.mean / error, count - 1)};
}

}  // namespace taut
