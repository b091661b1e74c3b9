// The weights of the members of a stack, and the record of its members.
#pragma once

#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// The record of a member of the stack, for `info`.
struct StackMemberRecord {
  std::string predictor;
  std::string scale;     // of the target during training
  double error = 0;      // out-of-fold mean absolute error in units of the target
  double weight = 0;     // 0 if the member is not part of the model
  bool dropped = false;  // the member lost the comparison on a subset of the rows, where `error` was measured
};

using StackRecord = std::vector<StackMemberRecord>;

// Weights of the columns of `predictions`, non-negative with sum 1, that minimise the pseudo-Huber loss of the weighted mean. A
// few outliers must not decide the weights, because the aim is narrow intervals. Members with small weights are removed: each
// costs time at every prediction. `of_rows`: the weights of the rows. `mean`: squared errors instead of the pseudo-Huber loss.
std::vector<double> stack_weights(const Matrix& predictions, std::span<const double> y, RowWeights of_rows = {},
                                  bool mean = false);

// The mean absolute error of one column.
double mean_absolute_error(const Matrix& predictions, Index column, std::span<const double> y, RowWeights of_rows = {});

// The columns that a stack needs. The others are removed one after another. Without them, the error of the stack rises by at most
// the share `error`, and its predictions change by at most the share `change` of that error. The second condition matters where
// noise hides the errors of f. On few rows, a member without weight may have some on all rows. A member is therefore removed only
// if its error is also more than `clearly` times the lowest error of a member.
struct RemovalLimits {
  double error, change, clearly;
};
std::vector<bool> needed_in_stack(const Matrix& predictions, std::span<const double> y, RemovalLimits limits,
                                  RowWeights of_rows = {});

}  // namespace taut
