#include <taut/task/label/set_objective.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

double sigma(double z) { return 1 / (1 + std::exp(-z)); }
double soft_plus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

}  // namespace

double SetObjective::cut_off(const SetRows& rows, std::span<const double> g, double level) const {
  const Index n = rows.v.rows();
  std::vector<double> own(g.size());
  double low = infinity, high = -infinity;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    own[at] = rows.v(i, rows.labels[at]) - g[at];
    low = std::min(low, own[at]);
    high = std::max(high, own[at]);
  }
  // c is no farther than `reach` outside of [low, high].
  const double reach = bandwidth * (std::abs(std::log(level / (1 - level))) + 1);
  low -= reach;
  high += reach;
  // Newton's method, with bisection if a step would leave the bracket.
  std::vector<double> sorted = own;
  const auto nth = sorted.begin() + std::min(n - 1, static_cast<Index>(level * static_cast<double>(n)));
  std::nth_element(sorted.begin(), nth, sorted.end());
  double c = *nth;  // a start; rows count with their weights below
  const double all = rows.labels.total();
  constexpr int max_steps = 60;
  for (int step = 0; step < max_steps; ++step) {
    double slope = 0, covered = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double in = sigma((c - own[i]) / bandwidth), weight = rows.labels.weight(static_cast<Index>(i));
      covered += weight * in;
      slope += weight * (in * (1 - in) / bandwidth);
    }
    const double missed = covered - level * all;
    (missed < 0 ? low : high) = c;
    const double next = slope > 0 ? c - missed / slope : low;
    const double last = c;
    c = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(c - last) <= 1e-12 * (1 + std::abs(c))) break;
  }
  return c;
}

double SetObjective::value(const SetRows& rows, std::span<const double> g, Matrix* gradient, Matrix* curvature,
                           int threads) const {
  const Index n = rows.v.rows(), classes = rows.v.cols();
  const double h = bandwidth, share = 1 / (rows.labels.total() * static_cast<double>(levels.size()));
  if (gradient != nullptr) *gradient = Matrix::Zero(n, 1);
  if (curvature != nullptr) *curvature = Matrix::Zero(n, 1);
  Matrix slopes(n, 2);  // S', C'
  double total = 0;
  for (const double level : levels) {
    const double c = cut_off(rows, g, level);
    total += share * parallel_sum(n, threads, [&](Index begin, Index end) {
               double sum = 0;
               for (Index i = begin; i < end; ++i) {
                 const auto at = static_cast<std::size_t>(i);
                 const double t = c + g[at], z = (t - rows.v(i, rows.labels[at])) / h, holds = sigma(z);
                 slopes(i, 1) = holds * (1 - holds) / h;
                 if (goal == Goal::conditional) {
                   sum += rows.labels.weight(i) * (h * soft_plus(z) - level * t);
                   slopes(i, 0) = holds - level;
                   continue;
                 }
                 double size = 0, slope = 0;
                 for (Index k = 0; k < classes; ++k) {
                   const double in = sigma((t - rows.v(i, k)) / h);
                   size += in;
                   slope += in * (1 - in) / h;
                 }
                 sum += rows.labels.weight(i) * size;
                 slopes(i, 0) = slope;
               }
               return sum;
             });
    if (gradient == nullptr) continue;
    double of_covered = slopes.col(1).sum(), of_sizes = slopes.col(0).sum();
    if (!rows.labels.weights.empty()) {
      of_covered = of_sizes = 0;
      for (Index i = 0; i < n; ++i) {
        of_covered += rows.labels.weight(i) * slopes(i, 1);
        of_sizes += rows.labels.weight(i) * slopes(i, 0);
      }
    }
    const double price = goal == Goal::size && of_covered > 0 ? of_sizes / of_covered : 0;
    for (Index i = 0; i < n; ++i) {
      (*gradient)(i, 0) += share * (slopes(i, 0) - price * slopes(i, 1));
      if (curvature == nullptr) continue;
      // |σ''| ≤ σ' / h.
      (*curvature)(i, 0) += share * (goal == Goal::size ? (slopes(i, 0) + price * slopes(i, 1)) / h : slopes(i, 1));
    }
  }
  return total;
}

}  // namespace taut
