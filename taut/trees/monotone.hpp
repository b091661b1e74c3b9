// Splits and leaf values of trees that never fall, or never rise, in some inputs.
//
// A sum of such trees, added in a fixed order, has the same property, and exactly: a rounded sum fl(a + b) never falls as a or b
// grows. Two rows are compared in which the input is not missing; where missing cells go is learned freely.
#pragma once

#include <taut/core/direction.hpp>
#include <taut/trees/forest.hpp>
#include <taut/trees/histogram.hpp>

#include <span>
#include <vector>

namespace taut {

// Like best_split(), but a split by a monotone input is allowed only if the leaves of its two sides would be in the right order.
// Unused inputs are skipped.
Split best_ordered_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules,
                         const InputDirections& directions);

// Makes a tree monotone by changing the values of its leaves. Two leaves are compared if a row of one can become a row of the
// other by a change of monotone inputs alone, in their directions. Compared leaves in the wrong order are replaced by their
// weighted mean, again and again, until none is left. `weights` has a number for each node; those of leaves are used.
void order_leaves(std::vector<TreeNode>& tree, const std::vector<double>& weights, const InputDirections& directions);

}  // namespace taut
