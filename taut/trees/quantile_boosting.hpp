// Boosted trees for several quantiles of one target at once: every tree is grown once and its leaves serve all quantiles.
#pragma once

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
  Index least_rows = 100;  // in a leaf
  double min_gain = 0;     // of a split, in units of the squared noise of a sum
  Index rows_of_tree = 0;  // how many rows grow a tree, drawn anew for each; 0: all
  Index most_rounds = 600;
  Index patience = 40;
  std::uint64_t seed = 0;
};

// Where the trees begin: a number for each probability, and for each row what is added to these, rows x probabilities.
struct QuantileStart {
  std::vector<double> initial;
  MatrixF added;
};

struct BoostedQuantiles {
  std::vector<double> initial;  // those of the start; without one the quantiles of the training rows
  VectorForest forest;          // what is added to them
  Matrix held_out;              // of the validation rows, with what the start adds: rows x probabilities
};

// The pinball loss of a probability p is max(p e, (p − 1) e), e = target − quantile. Its gradient says where to split, and each
// leaf goes toward the p-quantile of the errors in it. Rounds end where the loss of the validation rows, that of each p over
// min(p, 1 − p), has not fallen for a while; those after its least are dropped. `target` has a number for each row of x.
BoostedQuantiles boost_quantiles(const BinnedInputs& x, RowsView train, RowsView validation, std::span<const double> target,
                                 const QuantileBoosting& settings, const ExecutionContext& context,
                                 const QuantileStart* start = nullptr);

// The pinball loss of one error over min(p, 1 − p), so that all quantiles count alike.
inline double levelled_pinball_loss(double error, double p) { return std::max(p * error, (p - 1) * error) / std::min(p, 1 - p); }

// The p-quantile of values, interpolated between ranks. Puts them into another order.
double interpolated_quantile(std::span<double> values, double p);

}  // namespace taut
