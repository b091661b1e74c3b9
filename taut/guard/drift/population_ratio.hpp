// Learnt covariate shift weights, and the imbalance that such weights leave.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/table_view.hpp>
#include <taut/trees/classifier.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace taut {

// Rows in an order that depends on their content and not on their order in a file.

// -1, 0 or 1; missing cells come first.
inline int compare_rows(const MatrixF& x, Index a, Index b) {
  for (Index column = 0; column < x.cols(); ++column) {
    const float left = x(a, column), right = x(b, column);
    if (std::isnan(left) || std::isnan(right)) {
      if (std::isnan(left) && std::isnan(right)) continue;
      return std::isnan(left) ? -1 : 1;
    }
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// The order of calibration rows in their file must not matter, but folds depend on positions. So rows are sorted by content, and
// equal rows are treated alike.
inline std::vector<Index> sorted_rows(const MatrixF& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return compare_rows(x, a, b) < 0; });
  return order;
}

// The likelihood ratio of another population to the calibration rows, learnt from rows of both.
//
// Trees are trained to classify the two, with cross-fitting. Their probabilities are calibrated on the held-out margins,
// p = σ(a m + b), and the ratio is p / (1 − p) · calibration rows / new rows. It is an estimate, and a guarantee that uses it is
// only as good as the estimate.

class PopulationRatio {
 public:
  struct Learnt;
  // `made`: the model's outputs for each row, f and log scales, which are inputs of the trees too.
  static Learnt learn(const TableView& calibration, RowsView rows, const Matrix& made, const TableView& other,
                      const Matrix& made_of_other, std::uint64_t seed, int threads);

  // The ratios of new rows, by the mean margin of all models.
  std::vector<double> operator()(const TableView& x, RowsView rows, const Matrix& made, int threads) const;
  double limit() const { return limit_; }

  void save(Archive archive) const;
  static PopulationRatio load(const Archive& archive, const std::vector<Column>& schema, Index made);

 private:
  static constexpr int folds = 5;
  MatrixF inputs(const TableView& x, RowsView rows, const Matrix& made, int threads) const;
  void calibrate(std::span<const double> margins, std::span<const std::uint8_t> z);
  double ratio(double margin) const;

  Encoder encoder_;
  Forest forest_;
  std::vector<double> base_;
  double slope_ = 1, intercept_ = 0;
  double log_odds_ = 0;      // log of new rows / calibration rows
  double limit_ = infinity;  // upper limit of ratios
};

struct PopulationRatio::Learnt {
  PopulationRatio ratio;
  std::vector<double> weights;  // of the calibration rows
  Index clipped = 0;            // number of clipped weights
  double separation = 0.5;      // the probability that a new row has a higher margin than a calibration row; 1: no overlap
};

// The remaining imbalance: how much weighted calibration rows still differ from the new rows.

// Half of the sum of absolute differences between the shares of new rows and of weighted calibration rows, over groups of rows
// that trees find equally likely to be new; each row is classified by trees that were trained without it. Coverage in the new
// population is off by no more than the total variation distance between it and the weighted calibration rows, which this
// estimates as far as the trees see it. `by_chance` is its expected value for this number of rows if the weights are right.
struct WeightImbalance {
  double found = 0, by_chance = 0;
};

// Uses other trees than those of the weights: `seed` must differ from theirs. `made`: the model's outputs for each row.
WeightImbalance weight_imbalance(const TableView& calibration, RowsView rows, const Matrix& made, std::span<const double> weights,
                                 const TableView& other, const Matrix& made_of_other, std::uint64_t seed, int threads);

}  // namespace taut
