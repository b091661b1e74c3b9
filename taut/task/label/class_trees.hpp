// f for labels: boosted trees with softmax loss. Cross-fitting gives out-of-fold logits and the number of rounds. Trees of all
// rows predict new rows.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/label/row_labels.hpp>
#include <taut/trees/booster.hpp>

namespace taut {

class ClassTrees {
 public:
  struct Fitted;

  // `labels`: of the plan's predictor rows, in their order, each below `classes`.
  static Fitted fit(const TableView& x, RowLabels labels, Index classes, const RowPlan& plan, const FitOptions& options,
                    const ExecutionContext& context);

  // The settings of trees for labels. Early stopping finds the number of rounds.
  static BoosterSettings settings_for(Index rows, Index classes, const FitOptions& options, int threads);

  // rows x labels.
  Matrix logits(const TableView& x, RowsView rows, int threads) const;
  Index trees() const { return forest_.trees(); }

  void save(Archive archive) const;
  static ClassTrees load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  Encoder encoder_;
  std::vector<double> base_;  // logits before the first tree: log shares of the labels
  Forest forest_;
};

struct ClassTrees::Fitted {
  ClassTrees trees;
  Matrix out_of_fold;  // logits of the plan's transform rows, from trees that have not seen them
};

}  // namespace taut
