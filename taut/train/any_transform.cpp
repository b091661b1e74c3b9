#include <taut/train/any_transform.hpp>

#include <taut/core/threads.hpp>
#include <taut/train/validation.hpp>
#include <taut/transform/scale_family.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index block = 256;

// One end of the interval of a row: its half-width at q, and the weight of the row in the derivative of q.
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
  return level_quantile(b, confidence, -infinity, rows.weight);
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

double level_quantile(const std::vector<double>& values, double confidence, double minimum, RowWeights weights) {
  if (const double quantile = sample_quantile(values, confidence, weights); quantile > minimum) return quantile;
  double other = infinity;
  for (const double value : values)
    if (value > minimum) other = std::min(other, value);
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
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const End& end = ends[e];
    const double weight = rows.weight_of(static_cast<Index>(e) / rows.sides);
    sum += weight * end.width.value;
    pull += weight * end.width.per_score;
    windows += weight * end.window;
  }
  const double loss = std::log(std::max(sum, tiny) / (rows.total() * rows.sides));
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

namespace {

// Adds `factor` · φ_g to a row of the gradient, and its square over the weighted width to the curvature. That is
// weight · Δ · (∂log Δ/∂g)², which for scale families is the curvature of the O(N) form.
void add(std::span<const double> phi_g, double factor, double weighted_width, Index row, Index first, Matrix& gradient,
         Matrix& curvature) {
  for (std::size_t p = 0; p < phi_g.size(); ++p) {
    const Index column = first + static_cast<Index>(p);
    const double change = factor * phi_g[p];
    gradient(row, column) += change;
    curvature(row, column) += change * change / weighted_width;
  }
}

// The half-widths at every row's parameters for the scores of all rows, and ∂φ/∂g there. Classes with ManyInverses compute all
// scores of a row at once in the constructor. For other classes each pair is computed when it is needed.
class PairWidths {
 public:
  PairWidths(const ObjectiveRows& rows, const std::vector<double>& scores, bool with_grad)
      : rows_(rows), scores_(scores), many_(dynamic_cast<const ManyInverses*>(&rows.transform)) {
    if (many_ == nullptr) return;
    found_.resize(static_cast<std::size_t>(rows.rows() * rows.sides));
    for (Index m = 0; m < rows.rows(); ++m)
      for (int side = 0; side < rows.sides; ++side)
        many_->inverses(scores, rows.params(m, static_cast<Side>(side)), with_grad, found_at(m, side));
  }

  HalfWidth width(Index n, Index m, int side) const {
    const auto at = static_cast<std::size_t>(n);
    if (many_ == nullptr) return HalfWidth(rows_.transform, scores_[at], rows_.params(m, static_cast<Side>(side)));
    const ManyInverses::Result& found = found_[static_cast<std::size_t>(m * rows_.sides + side)];
    return {found.a[at], found.slope[at]};
  }
  // ∂φ/∂g at a width that exists. `own` is the buffer for classes without ManyInverses.
  std::span<const double> grad(const HalfWidth& width, Index n, Index m, int side, std::vector<double>& own) const {
    if (many_ != nullptr) return {found_[static_cast<std::size_t>(m * rows_.sides + side)].grad.row(n).data(), own.size()};
    rows_.transform.grad(width.a, rows_.params(m, static_cast<Side>(side)), own.data());
    return own;
  }

 private:
  ManyInverses::Result& found_at(Index m, int side) { return found_[static_cast<std::size_t>(m * rows_.sides + side)]; }

  const ObjectiveRows& rows_;
  const std::vector<double>& scores_;
  const ManyInverses* many_;
  std::vector<ManyInverses::Result> found_;
};

}  // namespace

double pair_sum(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) {
  const Transform& phi = rows.transform;
  const Index n = rows.rows(), params = phi.n_params();
  const double weight = 1.0 / (static_cast<double>(n) * static_cast<double>(n - 1) * rows.sides);
  std::vector<double> phi_g_n(static_cast<std::size_t>(params)), phi_g_m(phi_g_n);
  if (gradient != nullptr) {
    gradient->setZero(n, params * rows.sides);
    curvature->setZero(n, params * rows.sides);
  }

  std::vector<double> scores;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    scores.push_back(phi.value(rows.residual[at] * rows.residual[at], rows.params(i, rows.side[at])));
  }
  const PairWidths widths(rows, scores, gradient != nullptr);
  double loss = 0;
  for (Index i = 0; i < n; ++i) {
    const Side side_n = rows.side[static_cast<std::size_t>(i)];
    const double r = rows.residual[static_cast<std::size_t>(i)];
    const double* g_n = rows.params(i, side_n);
    const Index first_n = rows.sides == 2 ? static_cast<Index>(side_n) * params : 0;
    if (gradient != nullptr && r > 0) phi.grad(r * r, g_n, phi_g_n.data());
    for (Index m = 0; m < n; ++m) {
      if (m == i) continue;
      for (int side = 0; side < rows.sides; ++side) {
        const HalfWidth width = widths.width(i, m, side);
        if (!width.exists()) continue;
        // A pair has the product of the weights of its rows; gradients are divided by the weight of their row.
        const double of_n = weight * rows.weight_of(i), of_m = weight * rows.weight_of(m);
        loss += of_n * rows.weight_of(m) * width.value;
        if (gradient == nullptr) continue;
        add(widths.grad(width, i, m, side, phi_g_m), -of_n * width.per_score, of_n * width.value, m, side * params, *gradient,
            *curvature);
        if (r > 0) add(phi_g_n, of_m * width.per_score, of_m * width.value, i, first_n, *gradient, *curvature);
      }
    }
  }
  return loss;
}

double blocks_of_pairs(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) {
  constexpr Index together = 16;
  const Index n = rows.rows(), blocks = std::max<Index>(1, n / together);
  // The blocks are samples, whose weights have the mean 1 over all rows.
  std::vector<double> weights(rows.weight.begin(), rows.weight.end());
  for (double& weight : weights) weight *= static_cast<double>(n) / rows.total();
  std::vector<double> losses(static_cast<std::size_t>(blocks));
  if (gradient != nullptr) {
    gradient->resize(n, rows.g.cols());
    curvature->resize(n, rows.g.cols());
  }
  parallel_blocks(blocks, 1, rows.threads, [&](Index which, Index) {
    const Index begin = which * together, length = which + 1 == blocks ? n - begin : together;
    const auto first = static_cast<std::size_t>(begin), count = static_cast<std::size_t>(length);
    const Matrix g = rows.g.middleRows(begin, length);
    const ObjectiveRows part{rows.residual.subspan(first, count),
                             rows.side.subspan(first, count),
                             rows.transform,
                             g,
                             rows.sides,
                             true,
                             1,
                             weights.empty() ? RowWeights() : RowWeights(weights).subspan(first, count)};
    const double share = static_cast<double>(length) / static_cast<double>(n);
    Matrix part_gradient, part_curvature;
    const bool wanted = gradient != nullptr;
    losses[static_cast<std::size_t>(which)] =
        share * pair_sum(part, wanted ? &part_gradient : nullptr, wanted ? &part_curvature : nullptr);
    if (!wanted) return;
    // Per unit of the given weights, not of those with mean 1.
    const double of_row = rows.weight.empty() ? share : share * static_cast<double>(n) / rows.total();
    gradient->middleRows(begin, length) = of_row * part_gradient;
    curvature->middleRows(begin, length) = of_row * part_curvature;
  });
  double loss = 0;
  for (const double part : losses) loss += part;
  return loss;
}

}  // namespace taut
