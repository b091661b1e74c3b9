#include <taut/metric/conditional.hpp>

#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/trees/classifier.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>

namespace taut {

std::vector<CoverageBin> coverage_by_bin(std::span<const double> values, Covered z, Index bins) {
  struct Row {
    double value;
    std::uint8_t z;
  };
  const auto n = static_cast<Index>(values.size());
  std::vector<Row> rows(values.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {values[i], z[i]};
  const auto nan_begin = std::partition(rows.begin(), rows.end(), [](const Row& row) { return !std::isnan(row.value); });
  std::sort(rows.begin(), nan_begin, [](const Row& a, const Row& b) { return a.value < b.value; });

  const auto numbers = static_cast<Index>(nan_begin - rows.begin());
  const auto at = [&](Index i) -> const Row& { return rows[static_cast<std::size_t>(i)]; };
  const auto equal = [](double low, double high) {
    return low == high || high - low <= 1e-9 * std::min(std::abs(low), std::abs(high));
  };
  std::vector<CoverageBin> result;
  const auto add = [&](Index begin, Index end) {
    Index hits = 0;
    for (Index i = begin; i < end; ++i) hits += at(i).z;
    const Index count = end - begin;
    result.push_back({at(begin).value, at(end - 1).value, count, static_cast<double>(hits) / static_cast<double>(count)});
  };
  Index begin = 0;
  for (Index bin = 0; bin < bins && begin < numbers; ++bin) {
    Index end = (bin + 1) * (numbers / bins) + std::min(bin + 1, numbers % bins);
    if (end <= begin) continue;
    const double last = at(end - 1).value;
    while (end < numbers && equal(last, at(end).value)) ++end;
    add(begin, end);
    begin = end;
  }
  if (numbers < n) add(numbers, n);
  return result;
}

double coverage_gap(std::span<const std::int64_t> groups, Covered z, double t) {
  struct Count {
    double rows = 0, hits = 0;
  };
  std::map<std::int64_t, Count> counts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Count& count = counts[groups[i]];
    count.rows += 1;
    count.hits += z[i];
  }
  double sum = 0;
  for (const auto& [group, count] : counts) sum += std::abs(count.hits / count.rows - t);
  return sum / static_cast<double>(counts.size());
}

double conditional_coverage_rmse(std::span<const double> true_coverage, double t) {
  double sum = 0;
  for (const double c : true_coverage) sum += (c - t) * (c - t);
  return std::sqrt(sum / static_cast<double>(true_coverage.size()));
}

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

Index coverage_groups(Index rows) { return std::clamp<Index>(rows / 50, 1, 10); }

std::vector<CoverageBin> size_stratified_coverage(std::span<const Interval> intervals, std::span<const double> y, Index bins) {
  return coverage_by_bin(widths(intervals), covered(intervals, y), bins);
}

namespace {

// The lowest coverage over groups of similar width.
class SizeStratifiedCoverage final : public Metric {
 public:
  double value(const Judged& judged) const override {
    const Index bins = coverage_groups(static_cast<Index>(judged.y.size()));
    double minimum = missing;
    for (const auto& bin : size_stratified_coverage(judged.intervals, judged.y, bins)) minimum = std::fmin(minimum, bin.coverage);
    return minimum;
  }
};

}  // namespace

Listed<Metric> size_stratified_coverage_metric() {
  return listed_metric<SizeStratifiedCoverage>("size_stratified_coverage",
                                               "lowest coverage over up to ten groups of similar width");
}

namespace {

// Σ_ij c_i c_j exp(-(w_i - w_j)²) in O(n): the line is cut into boxes of length 1, and inside a pair of boxes the kernel is
// replaced by its Chebyshev interpolant with `order` nodes a side, so that a box is represented by its moments Σ c_i T_k(w_i).
// The error of the interpolant is about 2 (1/4)^p 2^(p/2) / √p! < 1e-15 at p = 18; boxes further apart than `reach` contribute
// less than e^-49. Distances between boxes are whole numbers, so the few matrices that combine moments are computed once.
constexpr int order = 18;
constexpr int reach = 7;
using Moments = Eigen::Matrix<double, order, 1>;
using Pairing = Eigen::Matrix<double, order, order>;

// Pairing at box distance D: Bᵀ K B with K_ab = exp(-(D + (t_b - t_a)/2)²) and B_ak = (2 - δ_k0) T_k(t_a) / p.
std::array<Pairing, reach + 1> make_pairings() {
  Pairing basis;
  Moments node;
  for (int a = 0; a < order; ++a) {
    const double angle = std::numbers::pi * (a + 0.5) / order;
    node[a] = std::cos(angle);
    for (int k = 0; k < order; ++k) basis(a, k) = (k == 0 ? 1 : 2) * std::cos(k * angle) / order;
  }
  std::array<Pairing, reach + 1> pairings;
  for (int distance = 0; distance <= reach; ++distance) {
    Pairing kernel;
    for (int a = 0; a < order; ++a)
      for (int b = 0; b < order; ++b) kernel(a, b) = std::exp(-std::pow(distance + 0.5 * (node[b] - node[a]), 2));
    pairings[static_cast<std::size_t>(distance)] = basis.transpose() * kernel * basis;
  }
  return pairings;
}

struct Point {
  double w, c;
};

struct Box {
  double place;  // the box is [place, place + 1)
  Moments moments;
};

Box box_of(std::span<const Point> points) {
  Box box{std::floor(points.front().w), Moments::Zero()};
  for (const auto& [w, c] : points) {
    const double x = 2 * (w - box.place) - 1;
    double before = c * x, now = c;  // c T_1 = c T_{-1}, c T_0
    for (int k = 0; k < order; ++k) {
      box.moments[k] += now;
      const double next = 2 * x * now - before;
      before = now;
      now = next;
    }
  }
  return box;
}

// `points` sorted by w, all finite.
double gaussian_sum(std::span<const Point> points) {
  static const std::array<Pairing, reach + 1> pairings = make_pairings();
  std::deque<Box> near;
  double sum = 0;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin + 1;
    while (end < points.size() && std::floor(points[end].w) == std::floor(points[begin].w)) ++end;
    const Box box = box_of(points.subspan(begin, end - begin));
    while (!near.empty() && box.place - near.front().place > reach) near.pop_front();
    sum += box.moments.dot(pairings[0] * box.moments);
    for (const Box& other : near)
      sum += 2 * other.moments.dot(pairings[static_cast<std::size_t>(box.place - other.place)] * box.moments);
    near.push_back(box);
    begin = end;
  }
  return sum;
}

}  // namespace

double hsic(std::span<const double> widths, Covered z, double width_size, double z_size) {
  const auto n = static_cast<double>(widths.size());
  if (n < 2) return missing;
  const double mean = mean_of(z), unit = std::sqrt(width_size);
  std::vector<Point> points;
  points.reserve(widths.size());
  double infinite = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const double c = z[i] - mean, w = widths[i] / unit;
    if (std::isfinite(w))
      points.push_back({w, c});
    else
      infinite += c;
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.w < b.w || (a.w == b.w && a.c < b.c); });
  const double trace = -2 * std::expm1(-1 / z_size) * (gaussian_sum(points) + infinite * infinite);
  return std::sqrt(std::max(trace, 0.0)) / (n - 1);
}

namespace {

// Widths are in units of the median width, so that the result does not depend on the unit of the target.
class Hsic final : public Metric {
 public:
  double value(const Judged& judged) const override {
    const double median = median_finite_width(judged.intervals);
    return hsic(widths(judged.intervals), covered(judged.intervals, judged.y), median > 0 ? median * median : 1);
  }
};

}  // namespace

Listed<Metric> hsic_metric() { return listed_metric<Hsic>("hsic", "dependence of coverage on width, 0 when independent"); }

}  // namespace taut
