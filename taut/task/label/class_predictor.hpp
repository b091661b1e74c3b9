// f for labels: boosted trees and, where rows that none of them has seen say that it is better, a linear member and boosted trees
// that begin at its logits. Their logits are summed, each with a weight.
#pragma once

#include <taut/predict/predictor.hpp>
#include <taut/task/label/class_linear.hpp>
#include <taut/task/label/class_trees.hpp>
#include <taut/task/label/mended_logits.hpp>

#include <array>

namespace taut {

class ClassPredictor {
 public:
  struct Fitted;

  // `labels`: of the plan's predictor rows, in their order, each below `classes`. Trees alone where tries_others() says no, and
  // where the plan has no folds in which every row is held out once.
  static Fitted fit(const TableView& x, std::span<const Index> labels, Index classes, const RowPlan& plan,
                    const FitOptions& options, const ExecutionContext& context);

  // Not for tables so large that a fit would take minutes more, nor where a quick one is asked for.
  static bool tries_others(Index rows, Index columns, Index classes, SearchEffort effort);

  // rows x labels.
  Matrix logits(const TableView& x, RowsView rows, int threads) const;
  Index trees() const { return trees_.trees() + from_linear_.trees(); }
  // By name, with their weights; those of weight 0 are left out.
  std::vector<std::pair<std::string, double>> members_that_count() const;
  std::string in_words() const;

  // In the scope of the model: files of trees alone are as they were before there were others.
  void save(Archive archive) const;
  static ClassPredictor load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  enum Member { of_trees, of_linear, of_both, members };
  bool has(Member member) const { return weights_[member] > 0; }

  bool is_pool_ = false;
  std::array<double, members> weights_ = {1, 0, 0};
  ClassTrees trees_;
  ClassLinear linear_;
  MendedLogits from_linear_;
};

struct ClassPredictor::Fitted {
  ClassPredictor predictor;
  Matrix out_of_fold;  // logits of the plan's transform rows, from members that have not seen them
  double alone = missing, together = missing, error = missing;  // log loss of these rows, and the error of the difference
};

}  // namespace taut
