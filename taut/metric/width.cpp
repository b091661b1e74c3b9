#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>

#include <algorithm>
#include <numeric>

namespace taut {

namespace {

bool infinite(const Interval& interval) { return !interval.empty() && !interval.finite(); }

double median_of(std::vector<double> values) {
  if (values.empty()) return missing;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return *middle == infinity ? infinity : below + 0.5 * (*middle - below);
}

}  // namespace

std::vector<double> widths(std::span<const Interval> intervals) {
  std::vector<double> result(intervals.size());
  std::transform(intervals.begin(), intervals.end(), result.begin(),
                 [](const Interval& interval) { return infinite(interval) ? infinity : interval.width(); });
  return result;
}

double mean_width(std::span<const Interval> intervals) {
  const std::vector<double> all = widths(intervals);
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

double median_width(std::span<const Interval> intervals) { return median_of(widths(intervals)); }

double median_finite_width(std::span<const Interval> intervals) {
  std::vector<double> finite = widths(intervals);
  std::erase(finite, infinity);
  return median_of(std::move(finite));
}

Index empty_sets(std::span<const Interval> intervals) {
  return std::count_if(intervals.begin(), intervals.end(), [](const Interval& interval) { return interval.empty(); });
}

Index infinite_sets(std::span<const Interval> intervals) { return std::count_if(intervals.begin(), intervals.end(), infinite); }

double unbounded_share(std::span<const Interval> intervals) {
  return static_cast<double>(infinite_sets(intervals)) / static_cast<double>(intervals.size());
}

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

class Unbounded final : public Metric {
 public:
  double value(const Judged& judged) const override { return unbounded_share(judged.intervals); }
};

class Infinite final : public Metric {
 public:
  double value(const Judged& judged) const override { return static_cast<double>(infinite_sets(judged.intervals)); }
};

}  // namespace

Listed<Metric> unbounded_metric() { return listed_metric<Unbounded>("unbounded", "share of sets with an infinite end"); }
Listed<Metric> mean_width_metric() {
  return listed_metric<MeanWidth>("mean_width", "mean full width; infinite where a set is unbounded");
}
Listed<Metric> median_width_metric() {
  return listed_metric<MedianWidth>("median_width", "median full width; infinite where half of the sets are unbounded");
}
Listed<Metric> empty_metric() { return listed_metric<Empty>("empty", "number of empty sets"); }
Listed<Metric> infinite_metric() { return listed_metric<Infinite>("infinite", "number of sets with an infinite end"); }

}  // namespace taut
