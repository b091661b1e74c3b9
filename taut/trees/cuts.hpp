// Where a tree may cut a column: the thresholds that boosting chooses from.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

// Column by column, ascending: the smallest value, at most `bins` - 2 thresholds halfway between neighbouring values, the
// largest value; NaN below where a column has fewer. `bins` >= 3. Handed to XGBoost as if they were data, they become exactly
// its histogram's limits; its own sketch of a million rows takes five times as long and cuts at values instead of between.
MatrixF cut_points(const Inputs& x, Index bins, int threads);

}  // namespace taut
