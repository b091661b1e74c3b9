// Gradient boosting from any gradients, by growers of one tree after another.
#pragma once

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

// Gradient boosting from any gradients: trees grown by histograms, the same to the last bit for any number of threads.

struct BoosterSettings {
  Index outputs = 1;  // a round grows one tree for each
  Index depth = 6;
  double rate = 0.05;
  double lambda = 1;        // added to the curvature of every leaf
  double min_weight = 1;    // least sum of curvatures in a leaf
  double min_gain = 0;      // least G²/H that a split must gain
  double row_share = 1;     // of the training rows, sampled anew each round
  double column_share = 1;  // of the columns, sampled anew for each tree
  Index bins = 256;         // most bins of a column, one of them for missing cells; where the inputs are not binned already
  bool symmetric = false;   // one split for all nodes of a level instead of one for each node
  double noise = 0;         // symmetric trees: of the scores of splits, in units of what gradients without a pattern would give
  std::uint64_t seed = 0;
  int threads = 0;  // at most; few rows get fewer
};

// Throws unless there is something to train on and row numbers fit into 32 bits.
void check_boosting(Index train_rows, Index rows, Index columns);

// What a leaf should add to the margins of these rows, before it is shortened by the rate. For losses whose second derivative
// says nothing, such as the pinball loss: their gradients find good splits but not how far to go.
using LeafValue = std::function<double(std::span<const GradientRow> rows)>;

// Missing cells are NaN; infinite ones are treated as very large ones.
class Booster {
 public:
  // Trains on the rows `train` and keeps the margins of the rows `validation`, of which there may be none, up to date.
  Booster(std::shared_ptr<const BinnedInputs> x, RowsView train, RowsView validation, const BoosterSettings& settings);
  Booster(std::shared_ptr<const BinnedInputs> x, std::vector<std::uint32_t> train, std::vector<std::uint32_t> validation,
          const BoosterSettings& settings);
  // Trains on all rows.
  Booster(const Inputs& x, const BoosterSettings& settings);
  ~Booster();
  Booster(Booster&&) noexcept;
  Booster& operator=(Booster&&) noexcept;

  // One round: rows x outputs, ∂loss/∂margin and ∂²loss/∂margin² (or an upper bound, not negative) of the training rows.
  // Both are multiplied by `scale`. A row with zeros in both takes no part. Leaves get −gradient / (curvature + lambda), or
  // `leaf_value` where given.
  void boost(const Matrix& gradient, const Matrix& curvature, double scale = 1, const LeafValue& leaf_value = {});

  // Sums of leaves so far, rows of the inputs x outputs, 0 before the first round: what forest().evaluate() gives. Rows that
  // are neither for training nor for validation keep 0.
  const MatrixF& margins() const;
  std::span<const std::uint32_t> train_rows() const;
  std::span<const std::uint32_t> validation_rows() const;

  Index rounds() const;
  void mark();    // remembers this round
  void rewind();  // returns to the marked round, without one to the start
  const Forest& forest() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Grows one tree after another from gradients: what boosting asks of a kind of tree.

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
