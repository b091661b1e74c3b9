#include <taut/predict/additive_terms.hpp>

#include <taut/algebra/dense.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/elastic_sums.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace taut {

namespace {

// Green and Silverman, Nonparametric Regression and Generalized Linear Models, section 2.1: R γ = Qᵀ g, with γ the second
// derivatives at the inner knots and g the values.
struct SplineBands {
  Eigen::MatrixXd q;  // Qᵀ: inner knots x knots
  Eigen::MatrixXd r;  // R: inner knots x inner knots
};

SplineBands bands_of(const std::vector<double>& knots) {
  const Index inner = std::ssize(knots) - 2;
  SplineBands bands{Eigen::MatrixXd::Zero(inner, inner + 2), Eigen::MatrixXd::Zero(inner, inner)};
  for (Index i = 0; i < inner; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double before = knots[at + 1] - knots[at], after = knots[at + 2] - knots[at + 1];
    bands.q(i, i) = 1 / before;
    bands.q(i, i + 1) = -1 / before - 1 / after;
    bands.q(i, i + 2) = 1 / after;
    bands.r(i, i) = (before + after) / 3;
    if (i + 1 < inner) bands.r(i, i + 1) = bands.r(i + 1, i) = after / 6;
  }
  return bands;
}

}  // namespace

SplineKnots::SplineKnots(std::vector<double> knots) : knots_(std::move(knots)), bends_(Eigen::MatrixXd::Zero(size(), size())) {
  if (size() < 3) return;
  const SplineBands bands = bands_of(knots_);
  bends_.middleRows(1, size() - 2) = Cholesky(bands.r).solve(bands.q);
}

Eigen::MatrixXd SplineKnots::roughness() const {
  if (size() < 3) return Eigen::MatrixXd::Zero(size(), size());
  return multiply(bands_of(knots_).q, bends_.middleRows(1, size() - 2), Transpose::left);
}

Eigen::MatrixXd SplineKnots::curves() const {
  const Index count = std::max<Index>(0, size() - 2);
  if (count == 0) return Eigen::MatrixXd::Zero(size(), 0);
  const Eigen::MatrixXd rough = roughness();
  const SymmetricEigen solution = symmetric_eigen((rough + rough.transpose()) / 2);
  // Eigenvalues ascend; the first two belong to straight lines.
  const double minimum = solution.values[size() - 1] * 1e-15;
  const Eigen::VectorXd lengths = solution.values.tail(count).cwiseMax(minimum).cwiseSqrt().cwiseInverse();
  return solution.vectors.rightCols(count) * lengths.asDiagonal();
}

NaturalSpline::NaturalSpline(std::vector<double> knots, std::vector<double> values, double low, double high)
    : knots_(std::move(knots)), values_(std::move(values)), low_(low), high_(high) {
  const auto count = static_cast<Index>(knots_.size());
  const Eigen::VectorXd at_knots = Eigen::Map<const Eigen::VectorXd>(values_.data(), count);
  const Eigen::VectorXd bends = SplineKnots(knots_).bends() * at_knots;
  for (Index k = 0; k + 1 < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double width = knots_[at + 1] - knots_[at];
    const double slope = (values_[at + 1] - values_[at]) / width - width * (2 * bends[k] + bends[k + 1]) / 6;
    if (k == 0) pieces_.push_back({knots_[0], values_[0], slope, 0, 0});
    pieces_.push_back({knots_[at], values_[at], slope, bends[k] / 2, (bends[k + 1] - bends[k]) / (6 * width)});
    if (k + 2 < count) continue;
    const double last = (values_[at + 1] - values_[at]) / width + width * (bends[k] + 2 * bends[k + 1]) / 6;
    pieces_.push_back({knots_[at + 1], values_[at + 1], last, 0, 0});
  }
}

double NaturalSpline::operator()(double x) const {
  x = x > low_ ? std::min(x, high_) : low_;
  std::size_t which = 0;
  for (const double knot : knots_) which += x >= knot ? 1 : 0;
  const Piece& piece = pieces_[which];
  const double d = x - piece.from;
  return piece.constant + d * (piece.slope + d * (piece.square + d * piece.cube));
}

namespace {

constexpr double min_gap = 0.005;  // between knots, as a share of the distance from the first to the last
constexpr Index bins_of_gain = 10;

struct ColumnCells {
  std::vector<double> sorted, distinct;
  std::vector<double> weights{}, ends{};  // of the sorted cells, and their sums so far; empty without weights
  double gain = 0;

  double size() const { return ends.empty() ? static_cast<double>(sorted.size()) : ends.back(); }
  // The cell at a place among the sorted cells, each repeated by its weight.
  double at(double place) const {
    if (ends.empty()) return sorted[static_cast<std::size_t>(place)];
    const auto found = std::upper_bound(ends.begin(), ends.end(), std::floor(std::max(0.0, place)));
    return found == ends.end() ? sorted.back() : sorted[static_cast<std::size_t>(found - ends.begin())];
  }
};

Index knots_for(Index rows) { return std::clamp<Index>(std::lround(4 + 1.8 * std::log2(static_cast<double>(rows) / 50)), 3, 20); }

// The end knots are the extremes of the column, but at most three times as far from the median as the 2 % quantile on that side.
std::vector<double> place_knots(const ColumnCells& cells, Index maximum) {
  if (std::ssize(cells.distinct) <= maximum) return cells.distinct;
  const auto quantile = [&](double p) { return cells.at(p * (cells.size() - 1)); };
  const double middle = quantile(0.5);
  double low = std::max(cells.sorted.front(), 3 * quantile(0.02) - 2 * middle);
  double high = std::min(cells.sorted.back(), 3 * quantile(0.98) - 2 * middle);
  if (!(low < high)) return {cells.sorted.front(), cells.sorted.back()};  // almost all cells are equal
  if (low == middle) low = cells.sorted.front();
  if (high == middle) high = cells.sorted.back();
  std::vector<double> knots = {low};
  const double gap = min_gap * (high - low);
  for (Index k = 1; k + 1 < maximum; ++k) {
    const double knot = quantile(static_cast<double>(k) / static_cast<double>(maximum - 1));
    if (knot - knots.back() > gap && high - knot > gap) knots.push_back(knot);
  }
  knots.push_back(high);
  return knots;
}

// How much of y any function of the column can explain: the between-bin sum of squares of y over ten equal-count bins.
double gain_of_column(const std::vector<Index>& order, std::span<const double> y, const ColumnCells& cells) {
  if (!cells.ends.empty()) {
    const double all = weighted_mean(pick(y, order), cells.weights);
    std::array<double, bins_of_gain> sums{}, sizes{};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double middle = cells.ends[i] - cells.weights[i] / 2;
      const auto bin =
          static_cast<std::size_t>(std::clamp<double>(std::floor(bins_of_gain * middle / cells.size()), 0, bins_of_gain - 1));
      sums[bin] += cells.weights[i] * (y[static_cast<std::size_t>(order[i])] - all);
      sizes[bin] += cells.weights[i];
    }
    double gain = 0;
    for (std::size_t bin = 0; bin < sums.size(); ++bin)
      if (sizes[bin] > 0) gain += sums[bin] * sums[bin] / sizes[bin];
    return gain;
  }
  const auto n = static_cast<double>(order.size());
  double all = 0, gain = 0;
  for (const double value : y) all += value / n;
  for (Index bin = 0; bin < bins_of_gain; ++bin) {
    const std::size_t begin = order.size() * static_cast<std::size_t>(bin) / bins_of_gain;
    const std::size_t end = order.size() * static_cast<std::size_t>(bin + 1) / bins_of_gain;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += y[static_cast<std::size_t>(order[i])] - all;
    if (end > begin) gain += sum * sum / static_cast<double>(end - begin);
  }
  return gain;
}

ColumnCells cells_of(const MatrixF& x, std::span<const double> y, RowWeights weights, Index column) {
  Rows order = all_rows(x.rows());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a, column) < x(b, column); });
  ColumnCells cells;
  cells.sorted.reserve(order.size());
  for (const Index row : order) cells.sorted.push_back(static_cast<double>(x(row, column)));
  std::unique_copy(cells.sorted.begin(), cells.sorted.end(), std::back_inserter(cells.distinct));
  cells.weights = pick_weights(weights, order);
  double sum = 0;
  for (const double weight : cells.weights) cells.ends.push_back(sum += weight);
  cells.gain = gain_of_column(order, y, cells);
  return cells;
}

AdditiveTerm make_term(Index column, const ColumnCells& cells, Index max_knots) {
  const bool is_indicator = cells.distinct.size() == 2;
  std::vector<double> places =
      is_indicator || max_knots < 3 ? std::vector{cells.sorted.front(), cells.sorted.back()} : place_knots(cells, max_knots);
  const double first = places.front(), last = places.back(), span = last - first;
  // If the end knot is the extreme of the column, new rows may lie well beyond it. Otherwise rows beyond it are outliers already.
  const double low = cells.sorted.front() < first ? first - span / 2 : first - 3 * span;
  const double high = cells.sorted.back() > last ? last + span / 2 : last + 3 * span;
  AdditiveTerm term{column, is_indicator, low, high, SplineKnots(std::move(places)), {}, {}};
  term.curves = term.knots.curves();
  term.bends = term.knots.bends() * term.curves;
  return term;
}

void set_scale(AdditiveTerm& term, const ColumnCells& cells) {
  if (term.curves.cols() == 0) return;
  std::vector<double> regressors(static_cast<std::size_t>(term.size()));
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(term.size()), squares = sums;
  const std::size_t step = std::max<std::size_t>(1, cells.sorted.size() / 1000);
  double count = 0;
  for (std::size_t i = 0; i < cells.sorted.size(); i += step) {
    const double weight = weight_of(cells.weights, static_cast<Index>(i));
    term.put(cells.sorted[i], regressors.data());
    const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(regressors.data(), term.size());
    sums += weight * values;
    squares += weight * values.cwiseAbs2();
    count += weight;
  }
  const double variance = (squares / count - (sums / count).cwiseAbs2()).tail(term.curves.cols()).mean();
  if (variance > 0) term.scale = 1 / std::sqrt(variance);
}

}  // namespace

void AdditiveTerm::put(double x, double* out) const {
  x = std::clamp(x, low, high);
  out[0] = (x - knots.knots().front()) / (knots.knots().back() - knots.knots().front());
  if (curves.cols() == 0) return;
  const std::vector<double>& places = knots.knots();
  const Index last = knots.size() - 1;
  const auto after = std::upper_bound(places.begin(), places.end(), x) - places.begin();
  const Index k = std::clamp<Index>(after - 1, 0, last - 1);
  const double left = places[static_cast<std::size_t>(k)], right = places[static_cast<std::size_t>(k) + 1], width = right - left;
  // Beyond the end knots the spline continues along its tangent.
  const double inside = std::clamp(x, left, right), beyond = x - inside;
  const double a = inside - left, b = right - inside;
  double from_left = b / width, from_right = a / width;
  double bend_left = (b * b / width - width) * b / 6, bend_right = (a * a / width - width) * a / 6;
  if (beyond != 0) {
    from_left -= beyond / width;
    from_right += beyond / width;
    bend_left += beyond * (width / 6 - b * b / (2 * width));
    bend_right += beyond * (a * a / (2 * width) - width / 6);
  }
  for (Index c = 0; c < curves.cols(); ++c)
    out[1 + c] = scale * (from_left * curves(k, c) + from_right * curves(k + 1, c) + bend_left * bends(k, c) +
                          bend_right * bends(k + 1, c));
}

std::vector<AdditiveTerm> additive_terms(const MatrixF& x, std::span<const double> y, Index maximum, int threads,
                                         RowWeights weights) {
  const ElasticColumns chosen(x, y, weights, maximum);
  std::vector<ColumnCells> cells(static_cast<std::size_t>(chosen.size()));
  parallel_blocks(chosen.size(), 1, threads, [&](Index which, Index) {
    const auto at = static_cast<std::size_t>(which);
    cells[at] = cells_of(x, y, weights, chosen.columns[at]);
  });
  Rows curved;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].distinct.size() > 2) curved.push_back(static_cast<Index>(i));
  const auto gain = [&](Index which) { return cells[static_cast<std::size_t>(which)].gain; };
  std::stable_sort(curved.begin(), curved.end(), [&](Index a, Index b) { return gain(a) > gain(b); });
  // Reduce the number of knots, down to four, before columns lose their curves.
  const Index spare = maximum - chosen.size(), usual = knots_for(counted_rows(weights, x.rows())),
              count = std::max<Index>(1, std::ssize(curved));
  const Index knots = std::clamp<Index>(2 + spare / count, std::min<Index>(4, usual), usual);
  curved.resize(static_cast<std::size_t>(std::min<Index>(std::ssize(curved), spare / std::max<Index>(1, knots - 2))));
  std::vector<Index> knots_of(cells.size(), 2);
  for (const Index which : curved) knots_of[static_cast<std::size_t>(which)] = knots;
  std::vector<AdditiveTerm> terms;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    terms.push_back(make_term(chosen.columns[i], cells[i], knots_of[i]));
    set_scale(terms.back(), cells[i]);
  }
  return terms;
}

}  // namespace taut
