#include <taut/train/level_width.hpp>

#include <taut/core/threads.hpp>
#include <taut/train/implicit.hpp>
#include <taut/train/interval_quality.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index block = 256;

// One end of the interval of every row: its half-width at q, and how much its row moves q.
struct End {
  HalfWidth width;
  double window = 0;
};

double score_quantile(const ObjectiveRows& rows, double confidence) {
  std::vector<double> b;
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    b.push_back(rows.transform.value(rows.residual[at] * rows.residual[at], rows.params(i, rows.side[at])));
  }
  return level_quantile(b, confidence, -infinity);
}

// Row-major: rows x sides.
std::vector<End> ends_at(const ObjectiveRows& rows, double q) {
  std::vector<End> ends(static_cast<std::size_t>(rows.rows() * rows.sides), End{HalfWidth(), 0});
  parallel_blocks(rows.rows(), block, rows.threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (int side = 0; side < rows.sides; ++side) {
        End& one = ends[static_cast<std::size_t>(i * rows.sides + side)];
        one.width = HalfWidth(rows.transform, q, rows.params(i, static_cast<Side>(side)));
        const auto at = static_cast<std::size_t>(i);
        const bool occurred = rows.sides == 1 || static_cast<int>(rows.side[at]) == side;
        if (!occurred || !one.width.exists()) continue;
        one.window = quantile_window(std::log(rows.residual[at] / one.width.value)) * one.width.per_score / one.width.value;
      }
  });
  return ends;
}

}  // namespace

double level_quantile(const std::vector<double>& values, double confidence, double least) {
  if (const double quantile = sample_quantile(values, confidence); quantile > least) return quantile;
  double other = infinity;
  for (const double value : values)
    if (value > least) other = std::min(other, value);
  return other;
}

double quantile_window(double log_ratio) {
  constexpr double bandwidth = 0.2;  // gave better intervals than 0.3 and 0.5
  // log 0 = −infinity falls outside every window.
  return std::exp(-0.5 * (log_ratio / bandwidth) * (log_ratio / bandwidth));
}

double level_width(const ObjectiveRows& rows, double confidence, Matrix* gradient, Matrix* curvature) {
  constexpr double tiny = std::numeric_limits<double>::min();
  const auto ends = ends_at(rows, score_quantile(rows, confidence));
  double sum = 0, pull = 0, windows = 0;  // ΣΔ, Σ ∂Δ/∂q, Σ ω before it is scaled to 1
  for (const End& end : ends) {
    sum += end.width.value;
    pull += end.width.per_score;
    windows += end.window;
  }
  const double loss = std::log(std::max(sum, tiny) / static_cast<double>(ends.size()));
  if (gradient == nullptr) return loss;

  const Index params = rows.transform.n_params();
  gradient->setZero(rows.rows(), rows.g.cols());
  curvature->setZero(rows.rows(), rows.g.cols());
  std::vector<double> phi_g(static_cast<std::size_t>(params));
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const End& end = ends[e];
    if (!end.width.exists()) continue;
    const Index row = static_cast<Index>(e) / rows.sides, side = static_cast<Index>(e) % rows.sides;
    rows.transform.grad(end.width.a, rows.params(row, static_cast<Side>(side)), phi_g.data());
    const double per_log = end.width.value / end.width.per_score;  // ∂q/∂log Δ
    const double share = end.width.value / sum;
    const double moved = pull / sum * end.window / std::max(windows, tiny) * per_log;
    for (Index p = 0; p < params; ++p) {
      const double relative = phi_g[static_cast<std::size_t>(p)] / per_log;  // −∂log Δ/∂g
      (*gradient)(row, side * params + p) = (moved - share) * relative;
      (*curvature)(row, side * params + p) = (moved + share) * relative * relative;
    }
  }
  return loss;
}

}  // namespace taut
