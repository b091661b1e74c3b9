// Gradient boosting from any gradients, and the interface of the classes that grow a tree.
#pragma once

#include <taut/core/direction.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/trees/binned_inputs.hpp>
#include <taut/trees/forest.hpp>
#include <taut/trees/histogram.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace taut {

struct BoosterSettings {
  Index outputs = 1;  // a round grows one tree for each
  Index depth = 6;
  double rate = 0.05;
  double lambda = 1;        // added to the curvature of every leaf
  double min_weight = 1;    // minimum sum of curvatures in a leaf
  double min_gain = 0;      // minimum gain of a split, in G²/H
  double row_share = 1;     // of the training rows, sampled anew each round
  double column_share = 1;  // of the columns, sampled anew for each tree
  Index bins = 256;         // maximum number of bins of a column, one for missing cells; unused if the inputs are binned already
  bool symmetric = false;   // one split for all nodes of a level instead of one for each node
  double noise = 0;         // symmetric trees: noise of the scores of splits, in units of the score of purely random gradients
  InputDirections directions = {};  // of every input, see monotone.hpp
  std::uint64_t seed = 0;
  int threads = 0;  // the maximum; few rows use fewer
  // Of the rows of the inputs; must outlive the booster. Gradients are of one row: a row of weight 2 counts as two such rows.
  RowWeights weights{};
};

// Throws Error if there is no training row or no column, or if row numbers do not fit into 32 bits.
void check_boosting(Index train_rows, Index rows, Index columns);

// The value that a leaf should add to the margins of these rows, before it is multiplied by the rate. It is for losses without a
// useful second derivative, such as the pinball loss: their gradients find good splits but not the size of the step.
using LeafValue = std::function<double(std::span<const GradientRow> rows)>;

// Trees are grown by histograms. The result is the same to the last bit for any number of threads. Missing cells are NaN;
// infinite cells are treated as very large numbers.
class Booster {
 public:
  // Trains on the rows `train`. The margins of the rows `validation`, which may be empty, are kept up to date.
  Booster(std::shared_ptr<const BinnedInputs> x, RowsView train, RowsView validation, const BoosterSettings& settings);
  Booster(std::shared_ptr<const BinnedInputs> x, std::vector<std::uint32_t> train, std::vector<std::uint32_t> validation,
          const BoosterSettings& settings);
  // Trains on all rows.
  Booster(const Inputs& x, const BoosterSettings& settings);
  ~Booster();
  Booster(Booster&&) noexcept;
  Booster& operator=(Booster&&) noexcept;

  // Adds one round. `gradient` and `curvature` are rows x outputs: ∂loss/∂margin and ∂²loss/∂margin² (or an upper bound, not
  // negative) of the training rows. Both are multiplied by `scale`. A row with zeros in both is ignored. Leaves get
  // −gradient / (curvature + lambda), or `leaf_value` if given.
  void boost(const Matrix& gradient, const Matrix& curvature, double scale = 1, const LeafValue& leaf_value = {});

  // The sums of leaves so far, rows of the inputs x outputs, 0 before the first round. They equal forest().evaluate(), except
  // that rows that are neither training nor validation rows stay 0.
  const MatrixF& margins() const;
  std::span<const std::uint32_t> train_rows() const;
  std::span<const std::uint32_t> validation_rows() const;

  Index rounds() const;
  void mark();    // marks this round
  void rewind();  // returns to the marked round, or to the start if there is none
  const Forest& forest() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The interface between boosting and a kind of tree: it grows one tree after another from gradients.
class TreeGrower {
 public:
  virtual ~TreeGrower() = default;

  // Grows a tree and sorts the gradient_rows by leaf. The tree may split only by `columns`.
  virtual void grow(std::span<GradientRow> gradient_rows, std::span<const Index> columns, const Random& random) = 0;
  // Replaces the value of each leaf of the last tree by value_of(its rows), times the rate.
  virtual void replace_leaf_values(std::span<const GradientRow> gradient_rows, const LeafValue& value_of) = 0;

  // The last tree.
  virtual const std::vector<TreeNode>& nodes() const = 0;
  virtual Index depth() const = 0;  // from the root to the deepest leaf, at most the depth of the settings
  // Adds the leaves of the last tree to `margins`, one number per row, `stride` apart: for the rows that it was grown from, and
  // for any rows.
  virtual void add_to_gradient_rows(std::span<const GradientRow> gradient_rows, float* margins, Index stride) const = 0;
  virtual void add_to_rows(std::span<const std::uint32_t> rows, float* margins, Index stride) const = 0;
};

}  // namespace taut
