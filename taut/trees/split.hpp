// The best split of a node, from its histogram.
#pragma once

#include <taut/core/types.hpp>

#include <span>

namespace taut {

// Sums over rows of the gradient and the curvature: all that a split needs.
using Sums = Eigen::Array2d;

// Where a column's bins are in a histogram: `values` bins for its values, then one for missing cells.
struct BinRange {
  Index column;
  Index begin;
  Index values;
};

struct SplitRules {
  double lambda;
  double min_weight;
  double min_gain;
};

// Rows below the `threshold`-th threshold go left, and missing ones where `missing_left` says.
struct Split {
  Index column = -1;  // -1: no split is worth it
  Index threshold = 0;
  bool missing_left = false;
  Sums left = Sums::Zero();
};

// The split with the largest G²/(H + λ), summed over both children, among those that gain enough on the parent and leave
// `min_weight` of curvature on both sides; of equals the first.
Split best_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules);

}  // namespace taut
