#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <numeric>

namespace taut {

std::vector<std::uint8_t> covered(std::span<const Interval> intervals, std::span<const double> y) {
  std::vector<std::uint8_t> z(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) z[i] = intervals[i].contains(y[i]) ? 1 : 0;
  return z;
}

double mean_of(std::span<const std::uint8_t> z) {
  return static_cast<double>(std::accumulate(z.begin(), z.end(), Index{0})) / static_cast<double>(z.size());
}

double coverage(std::span<const Interval> intervals, std::span<const double> y) { return mean_of(covered(intervals, y)); }

namespace {

class Coverage final : public Metric {
 public:
  double value(const Judged& judged) const override { return coverage(judged.intervals, judged.y); }
};

}  // namespace

Listed<Metric> coverage_metric() { return listed_metric<Coverage>("coverage", "share of rows whose interval holds y"); }

}  // namespace taut
