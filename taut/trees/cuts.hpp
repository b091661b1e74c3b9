// Where a tree may cut a column: the thresholds that boosting chooses from.
#pragma once

#include <taut/core/types.hpp>

#include <vector>

namespace taut {

// For each column at most `most` thresholds, ascending, halfway between neighbouring values. Where cells are missing the first
// one is the smallest value itself, so that a tree can tell missing cells from all others. All rows count: rare values of a
// column with few different ones get their own bin however many rows there are, and quantiles of more than 65,536 rows are off by
// at most one row in a thousand (value_sketch.hpp).
std::vector<std::vector<float>> thresholds(const Inputs& x, Index most, int threads);

}  // namespace taut
