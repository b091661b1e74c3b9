// Explains rows of one model. Made once for a model, because trees are prepared for it; then asked for any number of batches.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/explain/explanation.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace taut {

class Regressor;
struct ModelParts;

class Explainer {
 public:
  // The model must outlive this. An Error where its file is too old to be explained.
  explicit Explainer(const Regressor& model, const ExplainOptions& options = {}, const ExecutionContext& context = {});
  ~Explainer();
  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;

  // What is exact, what is sampled and what is not explained at all, in sentences.
  const std::vector<std::string>& notes() const;
  // As in Explanation.
  const std::vector<std::string>& columns() const;
  Index inputs() const;
  bool explains_prediction() const;
  bool explains_width() const;
  // The column that stands for what a shape adds to the width of its scale; empty where there is none.
  std::string shape_column() const;
  int sides() const;  // 2: each end of an interval has shares of its own

  Explanation explain(const TableView& table, const ExecutionContext& context = {}) const;
  // For some columns, by their positions in columns(): how much each two of them do to log width together beyond what each does,
  // on average over the rows. Exact; no rows where widths are sampled, which has no such form.
  Matrix width_interactions(const TableView& table, std::span<const Index> columns, const ExecutionContext& context = {}) const;
  // One row, its cells as in Regressor::predict_row.
  Explanation explain(std::span<const double> row) const;

 private:
  struct Parts;
  Explanation explain(const Matrix& cells, const struct ExplainedPredictions& predicted, int threads) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace taut
