// f for labels: boosted trees and, if out-of-fold rows show an improvement, a linear member and boosted trees that start from its
// logits. The logits of all members are summed, each with a weight.
#pragma once

#include <taut/predict/predictor.hpp>
#include <taut/task/label/class_linear.hpp>
#include <taut/task/label/class_trees.hpp>
#include <taut/task/label/corrected_logits.hpp>
#include <taut/task/label/row_labels.hpp>

#include <array>

namespace taut {

class ClassPredictor {
 public:
  struct Fitted;

  // `labels`: of the plan's predictor rows, in their order, each below `classes`. Only trees are fitted if tries_others() is
  // false, or if the plan has no folds in which every row is held out once.
  static Fitted fit(const TableView& x, RowLabels labels, Index classes, const RowPlan& plan, const FitOptions& options,
                    const ExecutionContext& context);

  // Whether other members than trees are tried: not for large tables, whose fit would take minutes longer, nor for a quick fit.
  static bool tries_others(Index rows, Index columns, Index classes, SearchEffort effort);

  // rows x labels.
  Matrix logits(const TableView& x, RowsView rows, int threads) const;
  Index trees() const { return trees_.trees() + from_linear_.trees(); }
  // The names of members with positive weights, and the weights.
  std::vector<std::pair<std::string, double>> members_that_count() const;
  std::string describe() const;

  // `archive` is the scope of the model. A predictor of trees alone has the same entries as before there were other members.
  void save(Archive archive) const;
  static ClassPredictor load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  enum Member { of_trees, of_linear, of_both, members };
  bool has(Member member) const { return weights_[member] > 0; }

  bool is_pool_ = false;
  std::array<double, members> weights_ = {1, 0, 0};
  ClassTrees trees_;
  ClassLinear linear_;
  CorrectedLogits from_linear_;
};

struct ClassPredictor::Fitted {
  ClassPredictor predictor;
  Matrix out_of_fold;  // logits of the plan's transform rows, from members that have not seen them
  // Log loss of these rows by trees alone and by all members, and the standard error of the difference.
  double alone = missing, together = missing, error = missing;
};

}  // namespace taut
