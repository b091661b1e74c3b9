// Grows one tree from gradients, by histograms of them.
#pragma once

#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/booster.hpp>
#include <taut/trees/gradient_rows.hpp>
#include <taut/trees/split.hpp>

#include <vector>

namespace taut {

class Grower {
 public:
  // Keeps a reference to the bins.
  Grower(const BinnedInputs& bins, const BoosterSettings& settings);

  // Sorts the gradient_rows by leaf. `columns`: those that the tree may look at.
  void grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns);

  // The tree grown last.
  const std::vector<TreeNode>& nodes() const { return nodes_; }
  Index depth() const { return depth_; }  // its own, from the root to the furthest leaf, which may be less than was allowed
  // Adds its leaves to `margins`, one number per row, `stride` apart: for the gradient_rows that it was grown from, and for any
  // rows.
  void add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const;
  void add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const;

 private:
  struct Leaf {
    std::size_t begin, end;
    float value;
  };

  // A leaf is its own child on both sides: all rows take the same number of steps.
  struct Step {
    std::uint32_t column;
    RightBins right_bins;
    std::uint32_t children[2];
  };

  RightBins right_bins(const Split& split) const;
  std::int32_t grow_node(std::size_t begin, std::size_t end, const Sums& total, Index depth, std::size_t histogram);
  std::int32_t add_leaf(std::size_t begin, std::size_t end, const Sums& total);
  std::size_t partition(std::size_t begin, std::size_t end, const Split& split);
  void fill_histogram(std::size_t begin, std::size_t end, std::size_t histogram);
  Sums* histogram(std::size_t which) { return histograms_.data() + which * histogram_size_; }
  int threads_for(std::size_t rows) const;

  const BinnedInputs& bins_;
  BoosterSettings settings_;
  SplitRules rules_;
  std::span<GradientRow> gradient_rows_;
  std::vector<BinRange> ranges_;  // of the columns of this tree
  std::size_t histogram_size_ = 0;
  std::vector<Sums> histograms_;  // one for each level and one more, reused all over the tree
  std::vector<Sums> parts_;       // one histogram for each thread but the first
  std::vector<GradientRow> spare_;
  std::vector<TreeNode> nodes_;
  std::vector<Step> steps_;  // the same tree for binned rows
  std::vector<Leaf> leaves_;
  Index depth_ = 0;
};

}  // namespace taut
