// The linear member of f for labels: multinomial logistic regression with a ridge penalty.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/split.hpp>
#include <taut/task/label/row_labels.hpp>

#include <vector>

namespace taut {

// Minimises Σ −log p_y + λ/2 |W|²; b has no penalty.
class LogisticRidge {
 public:
  // `labels`: of the rows of x, each below `classes`. `weights` multiply the losses of the rows.
  LogisticRidge(const MatrixF& x, std::vector<Index> labels, Index classes, std::vector<double> weights = {});

  // Starts from `weights`, (inputs + 1) x labels with b as the last row, and replaces them by the optimal ones.
  void minimise(double penalty, Matrix& weights) const;

 private:
  Matrix gradient(const Matrix& weights, double penalty) const;

  Matrix x_;  // with a column of ones after the inputs
  std::vector<Index> labels_;
  std::vector<double> weights_;
  Index classes_;
  Eigen::MatrixXd gram_;
};

// Logits z = b + W x. Trees approximate a linear boundary by steps; if labels have one, a linear member learns it from fewer
// rows.
class ClassLinear {
 public:
  struct Fitted;

  ClassLinear() = default;  // none

  // `labels`: of `rows`, each below `classes`. `folds`: positions in `rows`; each row validates once, and the log loss of these
  // rows selects the penalty. The result is empty if inputs x labels are too many for a reasonable training time.
  static Fitted fit(const TableView& x, RowsView rows, RowLabels labels, Index classes, const std::vector<TrainingPart>& folds,
                    const ExecutionContext& context);

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
  Matrix out_of_fold;  // logits of each row by weights that were trained without it
};

}  // namespace taut
