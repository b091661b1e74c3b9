// φ_x, which maps a distance from f(x) to a conformity score: the transformation, its trained parameters g(x), and the inputs of
// g.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/score_scale.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/fit/beyond_training.hpp>
#include <taut/options/options.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/predict/prediction_limits.hpp>
#include <taut/train/fit_localization.hpp>
#include <taut/train/shape.hpp>

#include <algorithm>
#include <memory>

namespace taut {

class ScoreModel {
 public:
  ScoreModel();  // `fixed`: one width everywhere

  // Trains on out-of-sample predictions and targets `y` of plan.transform. Validation rows may choose `fixed`, and the scale of
  // the score. `weights`: of plan.transform; empty: every row counts once. `exposure`, if not empty: `predicted` has rates, of
  // which a row with the exposure e expects e times as much, with noise in proportion to √e. `keeps_held_out`: the result has g
  // of validation rows, out of sample.
  struct Fitted;
  struct TrainingData;
  static Fitted fit(const TableView& x, const RowPredictions& predicted, std::span<const double> y, const RowPlan& plan,
                    const FitOptions& options, const ExecutionContext& context, RowWeights weights = {},
                    std::span<const double> exposure = {}, bool keeps_held_out = false);

  const std::string& transform_name() const { return name_; }
  const Transform& transform() const { return *transform_; }
  const ScoreScale& score_scale() const { return score_scale_; }  // residuals, their unit and log s are on this scale
  // The levels of a given distribution; null if none is given.
  const std::shared_ptr<const QuantileLevels>& levels() const { return levels_; }
  // True if scores measure on the scale of log-odds of the given distribution of each row, from its median.
  bool is_of_probability() const { return is_of_probability_; }
  const Localization& localization() const { return localization_; }
  int sides() const { return localization_.sides(); }

  // g at some rows: the parameters of the transformation, for one side or for both. Those of a shape are followed by centre − f,
  // in units of the residuals. The factor of rows beyond the training rows is next, if there is one, and log s of a shape is
  // last.
  Matrix params(const TableView& x, RowsView rows, const RowPredictions& predicted, int threads,
                std::span<const double> exposure = {}) const;
  Matrix params_of_row(const double* cells, const RowPrediction& predicted, double exposure = 1) const;
  // The score at a row with these parameters. Trained transformations measure from f, because the predicted ends are an input of
  // g. `fixed` measures from the predicted ends, and a shape from its centre.
  RowScore at(const RowPrediction& predicted, const double* g, double exposure = 1) const;
  // Given distributions within the limits of this model: far outside of the range of the training targets there is no evidence
  // for such values. Other predictions as they are.
  RowPredictions limited(RowPredictions predicted) const;
  // What is predicted for a row, from its numbers: f, two ends, or the quantiles of a distribution, ascending.
  RowPrediction prediction_of(std::span<const double> numbers) const;
  // The number of parameters of a row that at() uses.
  Index n_params_of_row() const;

  // If φ is a scale family or has one as its base: log s for each side, with s in units of the residuals and the factor of rows
  // beyond the training rows in it. No columns for other φ and for `fixed`.
  Matrix log_scales(const Matrix& g) const;
  Index n_log_scales() const { return scale_->is_scale() && scale_->n_params() > 0 ? localization_.sides() : 0; }
  double unit() const { return unit_; }

  // The inputs of g, for explanations and export: those of encoder(), then f, the logarithm of the predicted half-width and that
  // of the predictors' disagreement, if g uses them.
  const Encoder& encoder() const { return encoder_; }
  bool uses_prediction() const { return sees_prediction_; }
  bool uses_disagreement() const { return sees_disagreement_; }
  bool starts_from_ends() const { return min_half_width_ > 0 && !is_of_probability_; }
  Index n_prediction_inputs() const {
    return (sees_prediction_ ? 1 : 0) + (sees_ends() ? 1 : 0) + (sees_ends() && levels_ ? 1 : 0) + (sees_exposure_ ? 1 : 0) +
           (sees_disagreement_ ? 1 : 0);
  }
  MatrixF inputs_with_predictions(MatrixF inputs, const RowPredictions& predicted) const {
    return with_predictions(std::move(inputs), predicted, {});
  }
  Matrix params_of_encoded(MatrixF encoded, const RowPredictions& predicted, int threads) const;
  const Transform& scale() const { return *scale_; }  // φ itself, or the base scale of its shape
  bool has_shape() const { return shape_ != nullptr; }
  const Shape& shape() const { return *shape_; }
  double prediction_offset() const { return prediction_offset_; }  // subtracted from f before it becomes an input
  const BeyondTraining& beyond_training() const { return beyond_training_; }
  Eigen::VectorXd factors_of(const Matrix& g) const;  // of rows beyond the training rows; else 1
  // Limits the logarithm where all predictors agree. In units of the residuals.
  static constexpr double min_disagreement = 1e-6;
  // The predicted half-widths in units of the residuals, from which training starts; empty if only f is predicted.
  std::vector<double> starts(const RowPredictions& predicted) const;

  void save(Archive archive) const;
  static ScoreModel load(const Archive& archive, const std::vector<Column>& schema, bool predicts_ends);

 private:
  static Fitted fit_on(const ScoreScale& scale, bool of_probability, const TrainingData& data);
  // The same for given distributions: validation rows choose between them as they are, recalibrated on the scale of log-odds, and
  // residuals from their medians.
  static Fitted fit_distribution(const TrainingData& data);
  static PredictionLimits limits_of_distributions(std::span<const double> y, const FitOptions& options);
  void load_distribution(const Archive& archive);
  // `fixed` on a scale.
  static ScoreModel fixed_on(ScoreScale scale, bool of_probability, const TrainingData& data);
  QuantileScale scale_of_distribution(const RowPrediction& predicted) const {
    return {predicted.quantiles, levels_->log_odds(), min_slope_};
  }
  void set_transform(const std::string& name);
  // Trains the shape of the transformation on top of the trained scale, and keeps it if it is better.
  void add_shape(const InputPool& inputs, const Residuals& scaled, const TrainingData& data, const InputDirections& directions,
                 Fitted& result);
  // g on the validation rows of all parts, each from the member that was not trained on it; without a shape.
  Matrix held_out_params(const InputPool& inputs, const std::vector<TrainingPart>& parts, int threads) const;
  Matrix params_of_inputs(const MatrixF& inputs, std::span<const double> starts, int threads) const;
  bool sees_ends() const { return sees_prediction_ && min_half_width_ > 0; }
  // The predicted half-width in units of the residuals, from which training starts: never 0, so that it has a logarithm.
  double start_of(const RowPrediction& predicted) const;
  void see(const RowPrediction& predicted, double exposure, float* out) const;
  MatrixF with_predictions(MatrixF inputs, const RowPredictions& predicted, std::span<const double> exposure) const;
  void learn_prediction_offset(std::span<const double> f);
  Index n_params_of_sides() const;  // n_params_of_row() without the factor
  // Held-out parameters followed by a factor of 1: no training row lies beyond the training rows.
  void add_factor(Matrix& held_out) const;
  double half_width_of(const RowPrediction& predicted) const { return std::max(predicted.half_width(), min_half_width_); }

  std::string name_;
  std::shared_ptr<const Transform> transform_;
  std::shared_ptr<const Transform> scale_;  // trained by the localization: the transformation or its base
  bool sees_prediction_ = false;
  bool sees_disagreement_ = false;
  bool sees_exposure_ = false;  // log e is an input of g, and residuals are in units of √e
  double prediction_offset_ = 0;
  Encoder encoder_;
  ScoreScale score_scale_;
  double unit_ = 1;            // of residuals, on the scale of the score; 1 for `fixed`, which keeps every bit
  double min_half_width_ = 0;  // of predicted ends; 0 if only f is predicted
  std::shared_ptr<const QuantileLevels> levels_;
  PredictionLimits limits_;  // of given quantiles
  bool is_of_probability_ = false;
  double min_slope_ = 0;        // of the scale of log-odds; 0: a share of each row's own distances
  double prediction_unit_ = 1;  // of f and half-widths as inputs of g, if residuals are log-odds
  Localization localization_;
  BeyondTraining beyond_training_;
  std::shared_ptr<const Shape> shape_;  // of a transformation with a base; null for others
};

struct ScoreModel::Fitted {
  ScoreModel score;
  bool fell_back = false;                   // no candidate was better than `fixed` on validation rows
  std::string message = {};                 // why it fell back
  std::vector<CandidateRecord> candidates;  // all that were compared on validation rows
  TrainingRecord first_member;              // training of the first member of the kept candidate
  Matrix held_out = {};                     // g on the rows `held_out_rows`, if it is needed
  Rows held_out_rows = {};                  // positions of validation rows in plan.transform; a sample of them if there are many
};

}  // namespace taut
