// How much likelier a row is in another population than among the calibration rows, learnt from rows of both.
//
// Trees are trained to tell the two apart, each row by models that have not seen it; their probabilities are calibrated on these
// held-out margins, p = σ(a m + b), and the ratio is p / (1 − p) · calibration rows / new rows. What rests on it is as good as it
// is: it is learnt, not known.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/encoding.hpp>
#include <taut/trees/classifier.hpp>

#include <string>
#include <vector>

namespace taut {

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

}  // namespace taut
