// Why rows got what they got: the share of every column in the prediction and in the width.
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

// One quantity of many rows as a sum: value = base + Σ shares, to rounding.
struct Attribution {
  double base = 0;            // where no column is known
  std::vector<double> value;  // of each row
  Matrix shares;              // rows x columns of the explanation

  double share(Index row, Index column) const { return shares(row, column); }
};

// A share is what the model uses, not a cause.
struct Explanation {
  std::vector<std::string> columns;  // those of the table, in the model's order; then what the width sees of the prediction
  Index inputs = 0;                  // how many of them are columns of the table
  std::optional<Attribution> prediction = {};  // of f(x); nothing where predictions are given
  // Of the logarithm of the interval's width, so that exp(share) is a factor of it. Nothing where all widths are the same.
  std::optional<Attribution> width = {};
  // Of the logarithms of how far the lower and the upper end reach, where each side of f has a scale of its own.
  std::vector<Attribution> ends = {};
  Matrix cells = {};  // rows x columns: what is explained, categories as their codes, then what the width sees of the prediction
  // The largest difference between base + Σ shares and the value before it was put right, relative to the size of the terms: the
  // model adds trees in floats.
  double rounding = 0;

  Index rows() const { return prediction ? std::ssize(prediction->value) : width ? std::ssize(width->value) : 0; }
  // By how much more than usual the interval of a row is wide: exp of the sum of shares.
  double width_factor(Index row) const;
};

struct ExplainOptions {
  double confidence = 0.9;  // whose width is explained where φ is no scale, for then each level has widths of its own
  Index walks = 32;         // of sampling, where there is no exact form; even
  std::uint64_t seed = 0;   // of sampling
};

// Explains rows of one model. Made once for a model, because trees are prepared for it; then asked for any number of batches.

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
