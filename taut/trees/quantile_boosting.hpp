// Boosted trees for several quantiles of one target. Each tree is grown once, and its leaves have a value for every quantile.
#pragma once

#include <taut/core/direction.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/vector_forest.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace taut {

struct QuantileBoosting {
  std::vector<double> probabilities;  // ascending
  Index depth = 3;
  double rate = 0.05;
  Index min_rows = 100;    // in a leaf
  double min_gain = 0;     // of a split, in units of the squared noise of a sum
  Index rows_of_tree = 0;  // number of rows sampled for each tree; 0: all
  Index max_rounds = 600;
  Index patience = 40;
  std::uint64_t seed = 0;
  RowWeights weights{};             // of the rows of the inputs; `min_rows` and the losses count them
  InputDirections directions = {};  // of every input: any or unused
};

// The predictions to which the trees are added: initial + added, where `added` is rows x probabilities.
struct QuantileStart {
  std::vector<double> initial;
  MatrixF added;
};

struct BoostedQuantiles {
  std::vector<double> initial;  // of the QuantileStart; without one, the quantiles of the training rows
  VectorForest forest;          // is added to `initial`
  Matrix held_out;              // quantiles of the validation rows, QuantileStart included: rows x probabilities
};

// The pinball loss of a probability p is max(p e, (p − 1) e) with e = target − quantile. Splits are found from its gradient, and
// each leaf moves towards the p-quantile of the errors in it. The validation loss is the sum over p of the pinball loss divided
// by min(p, 1 − p). Training stops if it has not improved for `patience` rounds, and the rounds after the best one are dropped.
// `target` has one number for each row of x.
BoostedQuantiles boost_quantiles(const BinnedInputs& x, RowsView train, RowsView validation, std::span<const double> target,
                                 const QuantileBoosting& settings, const ExecutionContext& context,
                                 const QuantileStart* start = nullptr);

// The pinball loss of one error divided by min(p, 1 − p), so that all quantiles have similar weight.
inline double scaled_pinball_loss(double error, double p) { return std::max(p * error, (p - 1) * error) / std::min(p, 1 - p); }

// The p-quantile of the values, interpolated between ranks. It changes the order of the values.
double interpolated_quantile(std::span<double> values, double p);
// The same with each value repeated by its weight; without weights the same bits.
double interpolated_quantile(std::span<double> values, RowWeights weights, double p);

}  // namespace taut
