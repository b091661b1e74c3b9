// How much likelier a row is in another population, learnt from rows of both, and what such weights leave over.
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

// Rows in an order that depends on what they hold and not on where they stand in a file.

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

// The order of calibration rows in their file must not matter, but folds are told by places: rows are sorted by what they hold,
// and rows that hold the same are treated alike.
inline std::vector<Index> sorted_rows(const MatrixF& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return compare_rows(x, a, b) < 0; });
  return order;
}

// How much likelier a row is in another population than among the calibration rows, learnt from rows of both.
//
// Trees are trained to tell the two apart, each row by models that have not seen it; their probabilities are calibrated on these
// held-out margins, p = σ(a m + b), and the ratio is p / (1 − p) · calibration rows / new rows. What rests on it is as good as it
// is: it is learnt, not known.

class PopulationRatio {
 public:
  struct Learnt;
  // `made`: what the model computes for each row, f and log scales, which are inputs too.
  static Learnt learn(const TableView& calibration, RowsView rows, const Matrix& made, const TableView& other,
                      const Matrix& made_of_other, std::uint64_t seed, int threads);

  // Of rows that were not there when it was learnt: by the mean margin of all models.
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
  double log_odds_ = 0;      // of the two numbers of rows
  double limit_ = infinity;  // no ratio is above
};

struct PopulationRatio::Learnt {
  PopulationRatio ratio;
  std::vector<double> weights;  // of the calibration rows
  Index clipped = 0;            // of them
  double separation = 0.5;      // the chance that a new row has a higher margin than a calibration row: 1: nothing in common
};

// What learnt weights leave over: how much weighted calibration rows still differ from the rows that they stand for.

// Half of the sum of absolute differences between the shares of new rows and of weighted calibration rows, over groups of rows
// that trees find equally likely to be new; each row is judged by trees that have not seen it. Coverage in the new population is
// off by no more than the total variation distance between it and the weighted calibration rows, which this estimates as far as
// the trees see it. `by_chance` is what chance makes of as many rows where the weights are right.
struct WeightImbalance {
  double found = 0, by_chance = 0;
};

// Other trees than those that made the weights: `seed` must be another. `made`: what the model computes for each row.
WeightImbalance weight_imbalance(const TableView& calibration, RowsView rows, const Matrix& made, std::span<const double> weights,
                                 const TableView& other, const Matrix& made_of_other, std::uint64_t seed, int threads);

}  // namespace taut
