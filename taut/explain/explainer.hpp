// Explanations of rows: the share of every column in the prediction and in the width of the interval.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// One quantity of many rows, written as a sum: value = base + Σ shares, up to rounding.
struct Attribution {
  double base = 0;            // the value when no column is known
  std::vector<double> value;  // one for each row
  Matrix shares;              // rows x columns of the Explanation

  double share(Index row, Index column) const { return shares(row, column); }
};

// A share shows what the model uses. It is not a causal effect.
struct Explanation {
  // Columns of the table in the model's order, then the columns that the width model derives from the prediction.
  std::vector<std::string> columns;
  Index inputs = 0;                            // the number of `columns` that belong to the table
  std::optional<Attribution> prediction = {};  // of f(x); empty when predictions are given
  // Of the logarithm of the interval's width, so exp(share) is a factor of the width. Empty when all widths are equal.
  std::optional<Attribution> width = {};
  // Of the logarithms of the distances from f to the lower and to the upper end. Empty unless each side has a separate scale.
  std::vector<Attribution> ends = {};
  Matrix cells = {};  // rows x columns: the explained rows, categories as their codes
  // The largest difference between base + Σ shares and the value before rounding was corrected, relative to the size of the
  // terms. It is not zero because the model adds trees in single precision.
  double rounding = 0;

  Index rows() const { return prediction ? std::ssize(prediction->value) : width ? std::ssize(width->value) : 0; }
  // The width of the row's interval divided by the usual width: exp of the sum of the width shares; 1 without width shares.
  double width_factor(Index row) const;
};

struct ExplainOptions {
  double confidence = 0.9;  // the explained level when φ is not a scale: widths at different levels are then not proportional
  Index walks = 32;         // even; used where shares have no exact form and are sampled
  std::uint64_t seed = 0;   // of the sampling
};

class Regressor;
struct ModelParts;

// Explains rows of one model. The constructor preprocesses the trees, so create it once for a model and reuse it for all batches.
class Explainer {
 public:
  // The model must outlive this object. Throws an Error if the model file lacks what an explanation needs.
  explicit Explainer(const Regressor& model, const ExplainOptions& options = {}, const ExecutionContext& context = {});
  ~Explainer();
  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;

  // Sentences that say what is exact, what is sampled and what is not explained at all.
  const std::vector<std::string>& notes() const;
  // The same as in Explanation.
  const std::vector<std::string>& columns() const;
  Index inputs() const;
  bool explains_prediction() const;
  bool explains_width() const;
  // The name of the column that holds what a shape adds to the width of its scale; empty without a shape.
  std::string shape_column() const;
  int sides() const;  // 2 if each end of an interval has separate shares, else 1

  Explanation explain(const TableView& table, const ExecutionContext& context = {}) const;
  // Mean absolute Shapley interactions in log width between pairs of `columns`, given as positions in columns(). Exact. Returns
  // an empty matrix if widths are not explained or are sampled.
  Matrix width_interactions(const TableView& table, std::span<const Index> columns, const ExecutionContext& context = {}) const;
  // Explains one row. Cells are those of Regressor::predict_row.
  Explanation explain(std::span<const double> row) const;

 private:
  struct Parts;
  Explanation explain(const Matrix& cells, const struct ExplainedPredictions& predicted, int threads) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace taut
