// How much each member of a stack counts, and what the stack found out about its members.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// What the stack found out about its members, for `info`.

struct StackMemberRecord {
  std::string predictor;
  std::string scale;     // on which it learns the target
  double error = 0;      // mean absolute error on rows that it has not seen, in units of the target
  double weight = 0;     // 0: it is not part of the model
  bool dropped = false;  // it lost on some of the rows, where its error was measured, and was not trained on all
};

using StackRecord = std::vector<StackMemberRecord>;

// How much each member of a stack counts.

// Weights of at least 0 that sum to 1, for the columns of `predictions`, so that the weighted mean is near y. Near in the sense
// of a loss that is squared for small errors and absolute for large ones, because what is wanted is narrow intervals, which a few
// wild rows should not decide. Members that count for little are left out: each costs time at every prediction.
std::vector<double> stack_weights(const Matrix& predictions, std::span<const double> y);

// Of one column: the mean absolute error.
double mean_absolute_error(const Matrix& predictions, Index column, std::span<const double> y);

// Which columns a stack needs: without the others, one left out after another, the error of a stack is larger by no more than the
// share `error`, and its predictions differ by no more than the share `change` of that error. The second says what the first
// cannot where noise hides what f gets wrong. On few rows a member that has no weight there may have some elsewhere: so it goes
// only if, besides, its own error is more than `clearly` times the least.
struct LeftOut {
  double error, change, clearly;
};
std::vector<bool> needed_in_stack(const Matrix& predictions, std::span<const double> y, LeftOut most);

}  // namespace taut
