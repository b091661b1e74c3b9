// Where a tree may cut a column: the thresholds that boosting chooses from.
#pragma once

#include <taut/core/types.hpp>

#include <vector>

namespace taut {

// For each column at most `most` thresholds, ascending, halfway between neighbouring values. Where cells are missing the first
// one is the smallest value itself, so that a tree can tell missing cells from all others.
std::vector<std::vector<float>> thresholds(const Inputs& x, Index most, int threads);

}  // namespace taut
