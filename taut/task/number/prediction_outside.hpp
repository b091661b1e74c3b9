// Predictions that lie outside of their own intervals. Where a curve moves the centre of intervals to the median, f still lies
// near a mean, which a few large targets move far away: both are right, and the user should hear why they differ.
#pragma once

#include <taut/task/number/regressor.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// Impossible predictions count as the nearest possible value. A set that is empty holds nothing, and says nothing about f.
bool lies_outside(double f, const Interval& interval, const TargetRange& range);

// The number of such rows of a table at each level; rows without a target count too.
std::vector<Index> predictions_outside(const Regressor& model, const TableView& table, std::span<const double> levels,
                                       const ExecutionContext& context = {});

// A sentence for the user.
std::string outside_in_words(Index outside, Index rows, double confidence);

}  // namespace taut
