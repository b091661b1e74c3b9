// Grows a symmetric tree from gradients: one split for all nodes of a level.
#pragma once

#include <taut/trees/booster.hpp>
#include <taut/trees/histogram.hpp>
#include <taut/trees/monotone.hpp>

#include <vector>

namespace taut {

// Each level uses the split with the largest sum of G²/(H + λ) over the resulting nodes. In this sum a node counts as not split
// if one side would have less than `min_weight` of curvature, so that few rows do not determine the split. The node is split
// anyway, and its sides may have no rows. A leaf without rows adds 0.
class SymmetricGrower final : public TreeGrower {
 public:
  // Stores a reference to the bins, which must outlive it.
  SymmetricGrower(const BinnedInputs& bins, const BoosterSettings& settings);

  void grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random& random) override;
  void replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) override;

  const std::vector<TreeNode>& nodes() const override { return nodes_; }
  Index depth() const override { return std::ssize(levels_); }
  void add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const override;
  void add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const override;

 private:
  struct Leaf {
    std::size_t begin, end;
    Sums total;
    std::size_t histogram;

    std::size_t size() const { return end - begin; }
  };

  struct Level {
    Split split;
    RightBins right_bins;
  };

  // The best split of one column and its gain.
  struct Offer {
    double gain = -1;
    Index threshold = 0;
    bool missing_left = false;
  };

  Index max_levels() const;
  Direction direction_of(Index column) const;
  Offer best_of(const BinRange& range) const;
  Split best_split_of_level(Random random) const;
  void split_leaves(const Level& level, bool with_histograms);
  void fill(const Leaf& leaf);
  void subtract(const Leaf& from, const Leaf& part);
  void make_monotone();
  void make_nodes();
  double gain_of(const Sums& sums) const;

  const BinnedInputs& bins_;
  const ColumnBins& columns_;
  BoosterSettings settings_;
  std::span<GradientRow> gradient_rows_;
  std::vector<GradientRow> spare_rows_;
  std::vector<BinRange> ranges_;  // of the columns of this tree
  std::size_t histogram_size_ = 0;
  std::vector<Sums> histograms_;
  double unit_ = 1;  // of gains: the expected gain of a gradient that is only noise
  std::vector<Leaf> leaves_;
  std::vector<Level> levels_;
  std::vector<float> values_;  // of the leaves; the first level is the highest bit of a leaf's number, 1 for right
  std::vector<TreeNode> nodes_;
};

}  // namespace taut
