#include <taut/drift/weight_imbalance.hpp>

#include <taut/data/encoding.hpp>
#include <taut/drift/sorted_rows.hpp>
#include <taut/trees/classifier.hpp>

#include <numbers>

namespace taut {

namespace {

constexpr int audit_folds = 5;
constexpr std::size_t audit_groups = 10;

// Of equal numbers of new rows; rows of one margin stay together.
std::vector<double> group_cuts(std::span<const double> margins_of_new) {
  std::vector<double> sorted(margins_of_new.begin(), margins_of_new.end()), cuts;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t g = 1; g < audit_groups; ++g)
    if (const double cut = sorted[g * sorted.size() / audit_groups]; cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
  return cuts;
}

// `margins` of the weighted rows, then of the new rows.
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
    // Of a share of new rows, and of a ratio of weighted sums; the mean of |N(0, v)| is sqrt(2v/pi).
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
