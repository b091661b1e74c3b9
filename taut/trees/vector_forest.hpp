// Shallow trees whose leaves add several numbers at once: one walk for all outputs.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <span>
#include <vector>

namespace taut {

// All trees are complete and of one depth: node k has the children 2k + 1 and 2k + 2, so a walk needs neither links nor branches.
// A branch that ends earlier is filled up with copies of its leaf. The outputs of a row are the sums, in float and in order, of
// the leaves that it reaches.
class VectorForest {
 public:
  static constexpr Index most_depth = 8;

  VectorForest() = default;
  VectorForest(Index inputs, Index outputs, Index depth);

  // Leaves of `tree` have as their value the row of `leaves` that they add.
  void add_tree(std::span<const TreeNode> tree, const MatrixF& leaves);
  void truncate(Index trees);  // keeps the first ones

  Index outputs() const { return outputs_; }
  Index trees() const { return std::ssize(columns_) / inner(); }

  // Adds to `sums`, one for each output.
  void add_row(const float* x, float* sums) const;
  // out: rows x outputs.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const;

  void save(Archive archive) const;
  static VectorForest load(const Archive& archive, Index inputs, Index outputs);

 private:
  Index inner() const { return (Index{1} << depth_) - 1; }  // nodes of a tree that are no leaves
  Index ends() const { return Index{1} << depth_; }
  void fill(std::span<const TreeNode> tree, Index node, Index place, const MatrixF& leaves);

  Index outputs_ = 0, depth_ = 0;
  std::vector<std::int32_t> columns_;
  std::vector<std::uint8_t> missing_left_;
  std::vector<float> thresholds_;
  std::vector<float> leaves_;  // trees x ends x outputs
};

}  // namespace taut
