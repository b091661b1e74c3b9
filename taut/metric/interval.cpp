#include <taut/metric/interval.hpp>

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/metric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
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

double pinball(double quantile, double y, double p) { return y < quantile ? (1 - p) * (quantile - y) : p * (y - quantile); }

double pinball(const Matrix& quantiles, std::span<const double> y, std::span<const double> p) {
  double sum = 0;
  for (Index row = 0; row < quantiles.rows(); ++row)
    for (Index k = 0; k < quantiles.cols(); ++k)
      sum += pinball(quantiles(row, k), y[static_cast<std::size_t>(row)], p[static_cast<std::size_t>(k)]);
  return sum / static_cast<double>(quantiles.rows());
}

double gaussian_crps(double mean, double deviation, double y) {
  if (!(deviation >= 0))
    throw Error("the standard deviation of a normal distribution must be at least 0, got " + print_number(deviation));
  if (deviation == 0) return std::abs(y - mean);
  const double w = (y - mean) / deviation;
  const double density = std::exp(-0.5 * w * w) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return deviation * (w * std::erf(w / std::numbers::sqrt2) + 2 * density - std::numbers::inv_sqrtpi);
}

double step_crps(std::vector<double> points, double y) {
  std::sort(points.begin(), points.end());
  return crps_of_sorted(points, y);
}

}  // namespace taut
