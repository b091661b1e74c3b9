// How much each row counts in training.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// The weights of some rows, in the order of these rows. A row of weight 2 counts as two equal rows. Empty: every row counts once,
// and every function below then gives the bits that it would give without weights.
using RowWeights = std::span<const double>;

inline double weight_of(RowWeights weights, Index row) { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)]; }

// The number of rows that `rows` rows with these weights count as.
double total_weight(RowWeights weights, Index rows);
Index counted_rows(RowWeights weights, Index rows);

// The weights of some of the rows; empty if there are no weights.
std::vector<double> pick_weights(RowWeights weights, RowsView rows);

double weighted_mean(std::span<const double> values, RowWeights weights);

// Sorted values of which each is repeated as often as its weight says. With fractional weights a value covers the places from the
// sum of the weights before it to that sum plus its own weight.
class RepeatedValues {
 public:
  RepeatedValues(std::span<const double> values, RowWeights weights);

  double size() const { return ends_.empty() ? 0 : ends_.back(); }
  // The value at a place from 0 to size() − 1, which is rounded down.
  double at(double place) const;
  // The quantile p, interpolated between the middles of neighbouring places.
  double interpolated(double p) const;
  // The smallest value such that at least the share `confidence` of the list is not larger.
  double quantile(double confidence) const;

 private:
  std::size_t position_of(double place) const;

  std::vector<double> values_;  // ascending
  std::vector<double> ends_;    // sums of weights up to and including each value
};

}  // namespace taut
