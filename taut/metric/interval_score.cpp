#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double interval_score(const Interval& interval, double y, double alpha) {
  if (!std::isfinite(interval.lower) || !std::isfinite(interval.upper)) return infinity;
  const auto [low, high] = std::minmax({interval.lower, interval.upper});
  return (high - low) + 2 / alpha * (std::max(low - y, 0.0) + std::max(y - high, 0.0));
}

double interval_score(std::span<const Interval> intervals, std::span<const double> y, double alpha) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += interval_score(intervals[i], y[i], alpha);
  return sum / static_cast<double>(y.size());
}

namespace {

class IntervalScore final : public Metric {
 public:
  double value(const Judged& judged) const override { return interval_score(judged.intervals, judged.y, 1 - judged.confidence); }
};

}  // namespace

Listed<Metric> interval_score_metric() {
  return listed_metric<IntervalScore>("interval_score",
                                      "width + 2/alpha times the distance of y outside; infinite where a set is unbounded");
}

}  // namespace taut
