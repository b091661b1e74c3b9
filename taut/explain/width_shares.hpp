// The share of every column in the logarithm of the width. Trees whose sum is log s are taken apart exactly, for each side of f;
// everything else by walks.
#pragma once

#include <taut/explain/explainer.hpp>
#include <taut/explain/sampled_shares.hpp>
#include <taut/explain/tree_shap.hpp>
#include <taut/task/number/number_task.hpp>

#include <optional>
#include <span>
#include <string>

namespace taut {

class WidthShares {
 public:
  // `parts` must outlive this, and its widths differ between rows.
  WidthShares(const ModelParts& parts, const ExplainOptions& options, int threads);

  bool is_sampled() const { return !walks_.empty(); }
  // φ neither is a scale nor stands on one: what is explained, by sampling, is the width at one level.
  bool is_of_level() const { return terms_.empty() && (task_.score.n_log_scales() == 0 || task_.score.has_shape()); }
  // Trees are the scale on which a shape stands; what the shape adds at one level is a column by itself, the last one.
  bool has_shape() const { return task_.score.has_shape() && !terms_.empty(); }
  // What the width sees of the prediction, as columns after those of the table.
  const std::vector<std::string>& seen_predictions() const { return seen_; }

  // Where it is not sampled: see Explainer::width_interactions. Of two sides the mean.
  Matrix interactions(const Matrix& cells, const RowPredictions& predicted, std::span<const Index> columns, int threads) const;

  // Fills the width and the ends of `out`, and raises its rounding.
  void explain(const Matrix& cells, const RowPredictions& predicted, Explanation& out, int threads) const;

 private:
  struct Term {
    TreeShap shap;
    Index output;
    double weight;
  };

  // The trees of each side, with what they are multiplied by; nothing where log s is no sum of trees. `bases`: of each side.
  using Terms = std::vector<std::vector<Term>>;
  std::optional<Terms> terms_of_sides(SettledPlayer settled, std::vector<double>& bases) const;
  void add_walks(const ExplainOptions& options, int threads);
  Index players() const { return std::ssize(parts_.schema) + std::ssize(seen_); }
  std::size_t n_values() const;  // sides, or 1 where a level is explained
  Matrix values(const Matrix& cells, const RowPredictions& predicted, int threads) const;
  void add_exact_shares(const Matrix& cells, const RowPredictions& predicted, std::vector<Matrix>& shares, int threads) const;
  static Attribution whole_width(const std::vector<Attribution>& ends);
  // The logarithms of the widths at the level, by the model's own arithmetic.
  std::vector<double> log_widths(const Matrix& cells, const RowPredictions& predicted, int threads) const;
  void add_shape(const Matrix& cells, const RowPredictions& predicted, Attribution& width, int threads) const;
  double usual_of_shape(const ExplainOptions& options, int threads) const;
  std::vector<const Localization*> averaged() const;  // the localization, and the other of a mean of two
  void add_terms(const Localization& localization, double share, SettledPlayer settled, Terms& terms,
                 std::vector<double>& bases) const;

  const ModelParts& parts_;
  const NumberTask& task_;
  std::vector<std::string> seen_;
  double quantile_ = 0;  // of the scores, where a level is explained
  Terms terms_;
  std::vector<double> bases_;         // of each value
  double start_weight_ = 0;           // of the logarithm of a predicted half-width, where there is one
  double shape_base_ = 0;             // what a shape usually adds to the logarithm of the width
  std::vector<SampledShares> walks_;  // one, or none where all is exact
};

}  // namespace taut
