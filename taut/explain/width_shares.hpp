// The share of every column in the logarithm of the width: exact, for each side of f, if log s is a sum of trees; otherwise
// sampled by walks.
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
  // `parts` must outlive this object. Its widths must differ between rows.
  WidthShares(const ModelParts& parts, const ExplainOptions& options, int threads);

  bool is_sampled() const { return !walks_.empty(); }
  // True if φ is neither a scale nor a shape on a scale: the width at one level is then explained by sampling.
  bool is_of_level() const {
    const ScoreModel& score = task_.score;
    return terms_.empty() && (score.n_log_scales() == 0 || score.has_shape() || !score.score_scale().is_identity());
  }
  // True if the trees are the scale under a shape. What the shape adds at one level is then the last column.
  bool has_shape() const { return task_.score.has_shape() && !terms_.empty(); }
  // Names of the columns after those of the table: what the width model derives from the prediction, and the shape.
  const std::vector<std::string>& seen_predictions() const { return seen_; }

  // See Explainer::width_interactions; the mean over the sides. Not for sampled widths.
  Matrix interactions(const Matrix& cells, const RowPredictions& predicted, std::span<const Index> columns, int threads) const;

  // Sets the width and the ends of `out`, and updates its rounding.
  void explain(const Matrix& cells, const RowPredictions& predicted, Explanation& out, int threads) const;

 private:
  struct Term {
    TreeShap shap;
    Index output;
    double weight;
  };

  using Terms = std::vector<std::vector<Term>>;  // for each side
  // The trees and their weights for each side, or nothing if log s is not a sum of trees. Sets the `bases` of the sides.
  std::optional<Terms> terms_of_sides(FixedPlayer fixed_player, std::vector<double>& bases) const;
  Index n_numbers() const;
  void put_numbers(const RowPrediction& one, double* out) const;
  RowPredictions predictions_of(const Matrix& numbers) const;
  void add_walks(const ExplainOptions& options, int threads);
  Index players() const { return std::ssize(parts_.schema) + std::ssize(seen_); }
  std::size_t n_values() const;  // the number of sides, or 1 if the width at a level is explained
  Matrix values(const Matrix& cells, const RowPredictions& predicted, int threads) const;
  void add_exact_shares(const Matrix& cells, const RowPredictions& predicted, std::vector<Matrix>& shares, int threads) const;
  void add_shares_beyond(const MatrixF& inputs, const RowPredictions& predicted, std::vector<Matrix>& shares, int threads) const;
  static Attribution whole_width(const std::vector<Attribution>& ends);
  // The logarithms of the widths at the explained level, computed by the model itself.
  std::vector<double> log_widths(const Matrix& cells, const RowPredictions& predicted, int threads) const;
  void add_shape(const Matrix& cells, const RowPredictions& predicted, Attribution& width, int threads) const;
  double mean_shape_share(const ExplainOptions& options, int threads) const;
  std::vector<const Localization*> averaged() const;  // the localization, and the second one if two are averaged
  void add_terms(const Localization& localization, double weight_of_all, FixedPlayer fixed_player, Terms& terms,
                 std::vector<double>& bases) const;

  const ModelParts& parts_;
  const NumberTask& task_;
  std::vector<std::string> seen_;
  double quantile_ = 0;  // of the calibration scores at the explained level
  Terms terms_;
  std::vector<double> bases_;         // one for each explained value
  double start_weight_ = 0;           // weight of the logarithm of the predicted half-width, if there is one
  double shape_base_ = 0;             // the mean that the shape adds to log width
  std::vector<SampledShares> walks_;  // one, or none if shares are exact
};

}  // namespace taut
