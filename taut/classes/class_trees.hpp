// f for labels: boosted trees with softmax loss, a member for each fold, which share their inputs. Together, as a mean of
// logits, they predict new rows; alone, each predicts the rows of its fold, which it has not seen.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/encoding.hpp>
#include <taut/model/row_plan.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

class ClassTrees {
 public:
  struct Fitted;

  // `labels`: of the plan's predictor rows, in their order, each below `classes`.
  static Fitted fit(const TableView& x, std::span<const Index> labels, Index classes, const RowPlan& plan,
                    const FitOptions& options, const ExecutionContext& context);

  // rows x labels.
  Matrix logits(const TableView& x, RowsView rows, int threads) const;
  Index members() const { return std::ssize(members_); }
  Index trees() const;
  const std::vector<double>& base() const { return base_; }

  void save(Archive archive) const;
  static ClassTrees load(const Archive& archive, const std::vector<Column>& schema, Index classes);

 private:
  Matrix logits_of(const Inputs& encoded, const Forest& member, int threads) const;

  Encoder encoder_;
  std::vector<double> base_;  // logits before the first tree: of the labels' shares
  std::vector<Forest> members_;
};

struct ClassTrees::Fitted {
  ClassTrees trees;
  Matrix out_of_fold;  // logits of the plan's transform rows, from members that have not seen them
};

}  // namespace taut
