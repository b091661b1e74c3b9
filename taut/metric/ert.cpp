#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>
#include <taut/trees/classifier.hpp>

#include <cmath>

namespace taut {

double ert(const Inputs& x, Covered z, double t, std::uint64_t seed, int threads, int folds) {
  const auto n = static_cast<Index>(z.size());
  if (n < 10 * folds) return missing;
  const double mean = mean_of(z);
  if (mean == 0 || mean == 1 || x.cols() == 0) return std::abs(mean - t);
  const std::vector<double> h = cross_fitted_probabilities(x, z, folds, seed, threads);
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) sum += h[i] > t ? z[i] - t : h[i] < t ? t - z[i] : 0;
  return sum / static_cast<double>(n);
}

namespace {

class Ert final : public Metric {
 public:
  bool needs_inputs() const override { return true; }
  double value(const Judged& judged) const override {
    if (judged.x == nullptr) return missing;
    return ert(*judged.x, covered(judged.intervals, judged.y), judged.confidence, judged.seed, judged.threads);
  }
};

}  // namespace

Listed<Metric> ert_metric() {
  return listed_metric<Ert>("ert", "L1-ERT: how far coverage given x is from the confidence, by a cross-fitted classifier");
}

}  // namespace taut
