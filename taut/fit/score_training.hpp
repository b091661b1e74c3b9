// What the training of a score model gets. Used by its source files only.
#pragma once

#include <taut/fit/score_model.hpp>

#include <functional>
#include <string>

namespace taut {

struct ScoreModel::TrainingData {
  const TableView& x;
  const RowPredictions& predicted;
  std::span<const double> y;
  const RowPlan& plan;
  const FitOptions& options;
  const ExecutionContext& context;
  RowWeights weights;
  std::span<const double> exposure;
  bool keeps_held_out = false;  // g on validation rows is needed to compare scales of the score

  Rows validation_rows() const {
    Rows rows;
    for (const TrainingPart& part : plan.parts)
      for (Index row = part.begin; row < part.end; ++row) rows.push_back(row);
    return rows;
  }
  ScoreScale scale_named(const std::string& name) const;
};

// Those of the validation rows that `other` has too: a shape is validated on a sample of them where there are many.
Rows shared_rows(Rows rows, const ScoreModel::Fitted& other);
// The scores of these rows by parts that were not trained on them, in turn. All arguments must outlive the result.
std::function<RowScore(std::size_t)> held_out_scores(const ScoreModel::Fitted& fitted, const Rows& rows,
                                                     const RowPredictions& predicted);

}  // namespace taut
