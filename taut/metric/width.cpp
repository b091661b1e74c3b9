#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <algorithm>
#include <numeric>

namespace taut {

namespace {

bool infinite(const Interval& interval) { return !interval.empty() && !interval.finite(); }

std::vector<double> finite_widths(std::span<const Interval> intervals) {
  std::vector<double> result;
  result.reserve(intervals.size());
  for (const auto& interval : intervals)
    if (!infinite(interval)) result.push_back(interval.width());
  return result;
}

}  // namespace

std::vector<double> widths(std::span<const Interval> intervals) {
  std::vector<double> result(intervals.size());
  std::transform(intervals.begin(), intervals.end(), result.begin(),
                 [](const Interval& interval) { return infinite(interval) ? infinity : interval.width(); });
  return result;
}

double mean_width(std::span<const Interval> intervals) {
  const std::vector<double> finite = finite_widths(intervals);
  return std::accumulate(finite.begin(), finite.end(), 0.0) / static_cast<double>(finite.size());
}

double median_width(std::span<const Interval> intervals) {
  std::vector<double> finite = finite_widths(intervals);
  if (finite.empty()) return missing;
  const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  if (finite.size() % 2 == 1) return *middle;
  const double below = *std::max_element(finite.begin(), middle);
  return below + 0.5 * (*middle - below);
}

Index empty_sets(std::span<const Interval> intervals) {
  return std::count_if(intervals.begin(), intervals.end(), [](const Interval& interval) { return interval.empty(); });
}

Index infinite_sets(std::span<const Interval> intervals) { return std::count_if(intervals.begin(), intervals.end(), infinite); }

namespace {

class MeanWidth final : public Metric {
 public:
  double value(const Judged& judged) const override { return mean_width(judged.intervals); }
};

class MedianWidth final : public Metric {
 public:
  double value(const Judged& judged) const override { return median_width(judged.intervals); }
};

class Empty final : public Metric {
 public:
  double value(const Judged& judged) const override { return static_cast<double>(empty_sets(judged.intervals)); }
};

class Infinite final : public Metric {
 public:
  double value(const Judged& judged) const override { return static_cast<double>(infinite_sets(judged.intervals)); }
};

}  // namespace

Listed<Metric> mean_width_metric() { return listed_metric<MeanWidth>("mean_width", "mean full width of the finite sets"); }
Listed<Metric> median_width_metric() {
  return listed_metric<MedianWidth>("median_width", "median full width of the finite sets");
}
Listed<Metric> empty_metric() { return listed_metric<Empty>("empty", "number of empty sets"); }
Listed<Metric> infinite_metric() { return listed_metric<Infinite>("infinite", "number of sets with an infinite end"); }

}  // namespace taut
