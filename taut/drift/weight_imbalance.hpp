// What learnt weights leave over: how much weighted calibration rows still differ from the rows that they stand for.
#pragma once

#include <taut/data/table_view.hpp>

#include <span>

namespace taut {

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
