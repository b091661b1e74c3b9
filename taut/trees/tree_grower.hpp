// Grows one tree after another from gradients: what boosting asks of a kind of tree.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/booster.hpp>
#include <taut/trees/forest.hpp>
#include <taut/trees/gradient_rows.hpp>

#include <span>
#include <vector>

namespace taut {

class TreeGrower {
 public:
  virtual ~TreeGrower() = default;

  // Sorts the gradient_rows by leaf. `columns`: those that the tree may split by.
  virtual void grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random& random) = 0;
  // Gives each leaf of the tree grown last another value than the one that gradients suggest, times the rate.
  virtual void replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) = 0;

  // The tree grown last.
  virtual const std::vector<TreeNode>& nodes() const = 0;
  virtual Index depth() const = 0;  // from the root to the furthest leaf, which may be less than was allowed
  // Adds its leaves to `margins`, one number per row, `stride` apart: for the rows that it was grown from, and for any rows.
  virtual void add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const = 0;
  virtual void add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const = 0;
};

}  // namespace taut
