// Boosted trees for several numbers of each row that are known without noise. Each tree is grown once, and its leaves have a
// value for every number.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/vector_forest.hpp>

#include <vector>

namespace taut {

struct VectorBoosting {
  Index depth = 5;
  double rate = 0.1;
  Index min_rows = 5;  // in a leaf
  Index max_rounds = 400;
  Index patience = 30;
  std::uint64_t seed = 0;
};

struct BoostedVectors {
  std::vector<double> initial;  // the means of the training rows
  VectorForest forest;          // is added to them
};

// Minimises the squared error of all columns of `target` (one row for each row of x), each in units of its variance. A split is
// found from the errors in a random direction: a sum of the columns with random signs. Training stops if the error of the
// validation rows has not fallen for `patience` rounds; later rounds are dropped.
BoostedVectors boost_vectors(const BinnedInputs& x, RowsView train, RowsView validation, const Matrix& target,
                             const VectorBoosting& settings, const ExecutionContext& context);

}  // namespace taut
