// Linear functions of the inputs for each class, by ridge regression with logistic loss.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/split.hpp>

#include <vector>

namespace taut {

// Multinomial logistic regression with a ridge penalty: the least of Σ −log p_y + λ/2 |W|², b free.

class LogisticRidge {
 public:
  // Rows of inputs, and their labels below `classes`.
  LogisticRidge(const MatrixF& x, std::vector<Index> labels, Index classes);

  // From the weights as they are, inputs + 1 x labels, the last row being b, to the best ones for this penalty.
  void minimise(double penalty, Matrix& weights) const;

 private:
  Matrix gradient(const Matrix& weights, double penalty) const;

  Matrix x_;  // with a column of ones behind the inputs
  std::vector<Index> labels_;
  Index classes_;
  Eigen::MatrixXd gram_;
};

// A linear member of f for labels: logits z = b + W x by multinomial logistic regression with a ridge penalty. Trees cut plane
// edges into steps; where labels lie on either side of a plane, as they often do, a linear member knows with few rows what trees
// learn from many.

class ClassLinear {
 public:
  struct Fitted;

  ClassLinear() = default;  // none

  // `labels` of `rows`, each below `classes`; `folds` are positions in them, and each row validates once: their log loss chooses
  // the penalty. None where inputs x labels are too many to be learned in reasonable time.
  static Fitted fit(const TableView& x, RowsView rows, std::span<const Index> labels, Index classes,
                    const std::vector<TrainingPart>& folds, const ExecutionContext& context);

  bool empty() const { return weights_.size() == 0; }
  Matrix logits(const TableView& x, RowsView rows, int threads) const;

  void save(Archive archive) const;
  static ClassLinear load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  Encoder encoder_;
  Matrix weights_;  // inputs + 1 x labels; the last row is b
};

struct ClassLinear::Fitted {
  ClassLinear linear;
  Matrix out_of_fold;  // logits of each row by weights that have not seen it
};

}  // namespace taut
