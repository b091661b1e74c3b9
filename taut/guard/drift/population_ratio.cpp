#include <taut/guard/drift/population_ratio.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/trees/classifier.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace taut {

namespace {

double sigmoid(double margin) { return 1 / (1 + std::exp(-margin)); }

// The area under the ROC curve: the share of pairs in which the new row has the higher margin.
double separation_of(std::span<const double> margins, std::span<const std::uint8_t> z) {
  std::vector<std::size_t> order(margins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return margins[a] < margins[b]; });
  double zeros = 0, ones = 0, pairs = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    double equal_zeros = 0, equal_ones = 0;
    for (; end < order.size() && margins[order[end]] == margins[order[begin]]; ++end)
      (z[order[end]] != 0 ? equal_ones : equal_zeros) += 1;
    pairs += equal_ones * (zeros + 0.5 * equal_zeros);
    zeros += equal_zeros;
    ones += equal_ones;
    begin = end;
  }
  return pairs / (zeros * ones);
}

}  // namespace

MatrixF PopulationRatio::inputs(const TableView& x, RowsView rows, const Matrix& made, int threads) const {
  const MatrixF encoded = encoder_.encode(x, rows, threads);
  MatrixF wider(encoded.rows(), encoded.cols() + made.cols());
  wider.leftCols(encoded.cols()) = encoded;
  wider.rightCols(made.cols()) = made.cast<float>();
  return wider;
}

// Newton's method for the log loss in a and b, with Platt's targets, which give a finite optimum even if the two populations are
// separated perfectly.
void PopulationRatio::calibrate(std::span<const double> margins, std::span<const std::uint8_t> z) {
  double ones = 0;
  for (const auto one : z) ones += one;
  const double zeros = static_cast<double>(z.size()) - ones;
  const double high = (ones + 1) / (ones + 2), low = 1 / (zeros + 2);
  double a = 1, b = 0;
  const auto loss = [&](double slope, double intercept) {
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double m = slope * margins[i] + intercept;
      sum += std::max(m, 0.0) + std::log1p(std::exp(-std::abs(m))) - (z[i] != 0 ? high : low) * m;
    }
    return sum;
  };
  double best = loss(a, b);
  for (int step = 0; step < 50; ++step) {
    double ga = 0, gb = 0, haa = 1e-9, hab = 0, hbb = 1e-9;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double p = sigmoid(a * margins[i] + b), d = p - (z[i] != 0 ? high : low), w = p * (1 - p);
      ga += d * margins[i];
      gb += d;
      haa += w * margins[i] * margins[i];
      hab += w * margins[i];
      hbb += w;
    }
    const double determinant = haa * hbb - hab * hab;
    if (!(determinant > 0)) break;
    double da = (hbb * ga - hab * gb) / determinant, db = (haa * gb - hab * ga) / determinant, next = infinity;
    for (int halved = 0; halved < 20 && !(next = loss(a - da, b - db), next <= best); ++halved) da *= 0.5, db *= 0.5;
    if (!(next <= best)) break;
    a -= da;
    b -= db;
    const bool done = best - next <= 1e-10 * (1 + std::abs(best));
    best = next;
    if (done) break;
  }
  slope_ = std::max(a, 0.0);  // margins that rank the wrong way carry no information
  intercept_ = a > 0 ? b : log_odds_;
}

double PopulationRatio::ratio(double margin) const {
  return std::min(limit_, std::exp(std::min(700.0, slope_ * margin + intercept_ - log_odds_)));
}

PopulationRatio::Learnt PopulationRatio::learn(const TableView& calibration, RowsView rows, const Matrix& made,
                                               const TableView& other, const Matrix& made_of_other, std::uint64_t seed,
                                               int threads) {
  const Index n = std::ssize(rows), m = other.rows();
  if (n < 2 * folds || m < 2 * folds)
    throw Error(
        format_text("--towards: learning the weights takes at least {} rows of each population; there are {} calibration rows "
                    "and {} rows of {}",
                    2 * folds, n, m, other.source()));
  Learnt result;
  PopulationRatio& own = result.ratio;
  own.encoder_ = Encoder(Encoding::raw, calibration, rows);
  MatrixF x(n + m, own.encoder_.columns() + made.cols());
  const MatrixF known = own.inputs(calibration, rows, made, threads);
  const std::vector<Index> order = sorted_rows(known);
  for (Index i = 0; i < n; ++i) x.row(i) = known.row(order[static_cast<std::size_t>(i)]);
  x.bottomRows(m) = own.inputs(other, all_rows(m), made_of_other, threads);
  std::vector<std::uint8_t> z(static_cast<std::size_t>(n + m));
  std::fill(z.begin() + n, z.end(), std::uint8_t{1});
  auto classifier = cross_fitted_classifier(x, z, folds, seed, threads);
  own.forest_ = std::move(classifier.forest);
  own.base_ = std::move(classifier.base);
  own.log_odds_ = std::log(static_cast<double>(m) / static_cast<double>(n));
  own.calibrate(classifier.margins, z);
  result.separation = separation_of(classifier.margins, z);
  double mean = 0;
  result.weights.resize(static_cast<std::size_t>(n));
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    double sum = 0;
    for (end = begin; end < n && compare_rows(x, begin, end) == 0; ++end)
      sum += own.ratio(classifier.margins[static_cast<std::size_t>(end)]);
    for (Index i = begin; i < end; ++i)
      result.weights[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = sum / static_cast<double>(end - begin);
    mean += sum / static_cast<double>(n);
  }
  own.limit_ = std::sqrt(static_cast<double>(n)) * mean;
  for (double& weight : result.weights) {
    result.clipped += weight > own.limit_ ? 1 : 0;
    weight = std::min(weight, own.limit_);
  }
  return result;
}

std::vector<double> PopulationRatio::operator()(const TableView& x, RowsView rows, const Matrix& made, int threads) const {
  const MatrixF all = inputs(x, rows, made, threads);
  Matrix margins(all.rows(), folds);
  forest_.evaluate(all, margins, threads);
  std::vector<double> result;
  for (Index i = 0; i < margins.rows(); ++i) {
    double mean = 0;
    for (Index k = 0; k < folds; ++k) mean += (margins(i, k) + base_[static_cast<std::size_t>(k)]) / folds;
    result.push_back(ratio(mean));
  }
  return result;
}

void PopulationRatio::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  forest_.save(archive.scope("forest"));
  archive.put("base", base_);
  archive.put("calibration", std::vector<double>{slope_, intercept_, log_odds_, limit_});
}

PopulationRatio PopulationRatio::load(const Archive& archive, const std::vector<Column>& schema, Index made) {
  PopulationRatio result;
  result.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  result.forest_ = Forest::load(archive.scope("forest"), result.encoder_.columns() + made, folds);
  result.base_ = archive.get<std::vector<double>>("base");
  const auto& numbers = archive.get<std::vector<double>>("calibration");
  const auto finite = [](const std::vector<double>& all) {
    return std::all_of(all.begin(), all.end(), [](double value) { return std::isfinite(value); });
  };
  if (result.base_.size() != folds || numbers.size() != 4 || !finite(result.base_) || !finite(numbers) || !(numbers[3] > 0))
    throw Error("the model file's ratio of populations makes no sense: it is damaged");
  result.slope_ = numbers[0];
  result.intercept_ = numbers[1];
  result.log_odds_ = numbers[2];
  result.limit_ = numbers[3];
  return result;
}

namespace {

constexpr int audit_folds = 5;
constexpr std::size_t audit_groups = 10;

// Cuts margins into groups of equal numbers of new rows; rows of one margin stay together.
std::vector<double> group_cuts(std::span<const double> margins_of_new) {
  std::vector<double> sorted(margins_of_new.begin(), margins_of_new.end()), cuts;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t g = 1; g < audit_groups; ++g)
    if (const double cut = sorted[g * sorted.size() / audit_groups]; cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
  return cuts;
}

// `margins`: of the weighted rows, then of the new rows.
WeightImbalance imbalance_of(std::span<const double> margins, std::span<const double> weights) {
  const auto of_known = margins.first(weights.size()), of_new = margins.subspan(weights.size());
  double largest = 0, sum = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (!(largest > 0)) return {1, 0};
  for (const double weight : weights) sum += weight / largest;
  const auto cuts = group_cuts(of_new);
  const auto group_of = [&](double margin) {
    return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), margin) - cuts.begin());
  };
  std::vector<double> share_of_new(cuts.size() + 1), share(cuts.size() + 1), squares(cuts.size() + 1);
  double all_squares = 0;
  for (const double margin : of_new) share_of_new[group_of(margin)] += 1 / static_cast<double>(of_new.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t group = group_of(of_known[i]);
    const double own = weights[i] / largest / sum;
    share[group] += own;
    squares[group] += own * own;
    all_squares += own * own;
  }
  WeightImbalance result;
  for (std::size_t g = 0; g < share.size(); ++g) {
    const double p = share_of_new[g], q = share[g];
    // Variance of a share of new rows, plus that of a ratio of weighted sums; the mean of |N(0, v)| is sqrt(2v/pi).
    const double variance = p * (1 - p) / static_cast<double>(of_new.size()) + (1 - 2 * q) * squares[g] + q * q * all_squares;
    result.found += 0.5 * std::abs(p - q);
    result.by_chance += 0.5 * std::sqrt(2 / std::numbers::pi * std::max(0.0, variance));
  }
  return result;
}

}  // namespace

WeightImbalance weight_imbalance(const TableView& calibration, RowsView rows, const Matrix& made, std::span<const double> weights,
                                 const TableView& other, const Matrix& made_of_other, std::uint64_t seed, int threads) {
  const Index n = std::ssize(rows), m = other.rows();
  const Encoder encoder(Encoding::raw, calibration, rows);
  MatrixF known(n, encoder.columns() + made.cols());
  known.leftCols(encoder.columns()) = encoder.encode(calibration, rows, threads);
  known.rightCols(made.cols()) = made.cast<float>();
  MatrixF x(n + m, known.cols());
  std::vector<double> sorted_weights;
  const auto order = sorted_rows(known);
  for (std::size_t i = 0; i < order.size(); ++i) {
    x.row(static_cast<Index>(i)) = known.row(order[i]);
    sorted_weights.push_back(weights[static_cast<std::size_t>(order[i])]);
  }
  x.bottomRows(m).leftCols(encoder.columns()) = encoder.encode(other, all_rows(m), threads);
  x.bottomRows(m).rightCols(made.cols()) = made_of_other.cast<float>();
  std::vector<std::uint8_t> z(static_cast<std::size_t>(n + m));
  std::fill(z.begin() + n, z.end(), std::uint8_t{1});
  return imbalance_of(cross_fitted_classifier(x, z, audit_folds, seed, threads).margins, sorted_weights);
}

}  // namespace taut
