// Rows in an order that depends on what they hold and not on where they stand in a file.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace taut {

// -1, 0 or 1; missing cells come first.
inline int compare_rows(const MatrixF& x, Index a, Index b) {
  for (Index column = 0; column < x.cols(); ++column) {
    const float left = x(a, column), right = x(b, column);
    if (std::isnan(left) || std::isnan(right)) {
      if (std::isnan(left) && std::isnan(right)) continue;
      return std::isnan(left) ? -1 : 1;
    }
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

// The order of calibration rows in their file must not matter, but folds are told by places: rows are sorted by what they hold,
// and rows that hold the same are treated alike.
inline std::vector<Index> sorted_rows(const MatrixF& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return compare_rows(x, a, b) < 0; });
  return order;
}

}  // namespace taut
