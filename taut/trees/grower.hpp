// Grows a tree from histograms of gradients. Each node has its own split.
#pragma once

#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/booster.hpp>
#include <taut/trees/histogram.hpp>
#include <taut/trees/monotone.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace taut {

class Grower final : public TreeGrower {
 public:
  // Stores a reference to the bins, which must outlive it.
  Grower(const BinnedInputs& bins, const BoosterSettings& settings);

  void grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random& random) override;
  void replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) override;
  // The number of leaves, and the rows of each leaf. number_leaves() sets the value of each leaf to its number, so that
  // add_to_rows() returns the leaf of each row.
  Index leaves() const { return std::ssize(tree_.leaves); }
  std::span<const GradientRow> rows_of_leaf(std::span<const GradientRow> gradient_rows, Index leaf) const {
    const Leaf& one = tree_.leaves[static_cast<std::size_t>(leaf)];
    return gradient_rows.subspan(one.begin, one.end - one.begin);
  }
  void number_leaves();

  const std::vector<TreeNode>& nodes() const override { return tree_.nodes; }
  Index depth() const override { return tree_.depth; }
  void add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const override;
  void add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const override;

 private:
  struct Leaf {
    std::size_t begin, end;
    float value;
    std::int32_t node;
    double curvature;
  };

  // A leaf is its own child on both sides, so that all rows take the same number of steps.
  struct Step {
    std::uint32_t column;
    RightBins right_bins;
    std::uint32_t children[2];
  };

  // A tree or a part of it that one thread grows, and the histograms for it.
  struct Subtree {
    std::vector<TreeNode> nodes;
    std::vector<Step> steps;  // the same nodes for binned rows
    std::vector<Leaf> leaves;
    Index depth = 0;               // of its deepest node, counted from the root of the whole tree
    std::vector<Sums> histograms;  // one for each depth, reused within the subtree

    void clear();
    void set_children(std::int32_t parent, std::int32_t left, std::int32_t right);
    std::int32_t append(const Subtree& other);  // returns the new position of its root
  };

  // The rows begin ... end - 1 of gradient_rows_, their sums, and the position of their histogram in the subtree.
  struct NodeRows {
    std::size_t begin, end;
    Sums total;
    std::size_t histogram;

    std::size_t size() const { return end - begin; }
  };

  std::int32_t grow_node(Subtree& tree, const NodeRows& node, Index depth);
  Split split_of(Subtree& tree, const NodeRows& node) const;
  std::int32_t add_leaf(Subtree& tree, const NodeRows& node) const;
  void order_leaves_of_tree();
  void fill_histogram(std::size_t begin, std::size_t end, Sums* histogram);
  Sums* histogram(Subtree& tree, std::size_t which) const;
  std::unique_ptr<Subtree> take_spare_subtree();
  void keep_spare_subtree(std::unique_ptr<Subtree> subtree);
  std::size_t rows_of_shared_subtree() const;

  const BinnedInputs& bins_;
  const ColumnBins& columns_;
  BoosterSettings settings_;
  SplitRules rules_;
  std::span<GradientRow> gradient_rows_;
  std::vector<BinRange> ranges_;  // of the columns of this tree
  std::size_t histogram_size_ = 0;
  std::vector<GradientRow> spare_rows_;
  Subtree tree_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Subtree>> spare_subtrees_;
};

}  // namespace taut
