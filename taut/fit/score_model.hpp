// φ_x: how a distance from f(x) becomes a score. The transformation, its trained parameters g(x), and what g sees.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/options/options.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/train/fit_localization.hpp>
#include <taut/train/shape.hpp>

#include <memory>

namespace taut {

class ScoreModel {
 public:
  ScoreModel();  // `fixed`: one width everywhere

  // Trained on out-of-sample predictions and targets `y` of plan.transform; validation rows may keep `fixed`.
  struct Fitted;
  static Fitted fit(const TableView& x, const RowPredictions& predicted, std::span<const double> y, const RowPlan& plan,
                    const FitOptions& options, const ExecutionContext& context);

  const std::string& transform_name() const { return name_; }
  const Transform& transform() const { return *transform_; }
  const Localization& localization() const { return localization_; }
  int sides() const { return localization_.sides(); }

  // g at some rows: as many parameters as the transformation has, for one side or for both. Those of a
  // shape are followed by how far the centre lies above f, in the residuals' unit, and by log s.
  Matrix params(const TableView& x, RowsView rows, const RowPredictions& predicted, int threads) const;
  Matrix params_of_row(const double* cells, const RowPrediction& predicted) const;
  // The score at a row with these parameters. What was trained measures from f, because g knows how far the predicted ends are;
  // `fixed` measures from the ends themselves, and a shape from a centre of its own.
  RowScore at(const RowPrediction& predicted, const double* g) const;
  // How many of a row's parameters are looked at there.
  Index n_params_of_row() const;

  // Where φ is a scale in disguise or stands on one: log s for each side, in units of the residuals' unit. No columns for other
  // φ, nor for `fixed`.
  Matrix log_scales(const Matrix& g) const;
  Index n_log_scales() const { return scale_->is_scale() && scale_->n_params() > 0 ? localization_.sides() : 0; }
  double unit() const { return unit_; }

  // What g sees, for those who explain it: the inputs that encoder() makes and, after them, of the prediction f and the
  // logarithm of the half-width between predicted ends, where these are seen.
  const Encoder& encoder() const { return encoder_; }
  bool sees_prediction() const { return sees_prediction_; }
  bool starts_from_ends() const { return least_half_width_ > 0; }
  Index n_seen_predictions() const { return (sees_prediction_ ? 1 : 0) + (sees_ends() ? 1 : 0); }
  MatrixF inputs_with_predictions(MatrixF inputs, const RowPredictions& predicted) const {
    return with_predictions(std::move(inputs), predicted);
  }
  Matrix params_of_encoded(MatrixF encoded, const RowPredictions& predicted, int threads) const;
  const Transform& scale() const { return *scale_; }  // φ itself, or what its shape stands on
  bool has_shape() const { return shape_ != nullptr; }
  const Shape& shape() const { return *shape_; }
  double prediction_offset() const { return prediction_offset_; }  // subtracted from f before it becomes an input
  // The predicted half-widths in units of the residuals, from which training starts; none where f is all that is predicted.
  std::vector<double> starts(const RowPredictions& predicted) const;

  void save(Archive archive) const;
  static ScoreModel load(const Archive& archive, const std::vector<Column>& schema, bool predicts_ends);

 private:
  void set_transform(const std::string& name);
  // Tries the shape of a transformation on top of the trained scale and keeps it where it is better.
  void add_shape(const InputPool& inputs, const Residuals& scaled, const RowPlan& plan, const FitOptions& options,
                 const ExecutionContext& context, std::vector<CandidateRecord>& candidates);
  Matrix params_of_inputs(const MatrixF& inputs, std::span<const double> starts, int threads) const;
  bool sees_ends() const { return sees_prediction_ && least_half_width_ > 0; }
  // The predicted half-width in units of the residuals, from which training starts: never 0, so that it has a logarithm.
  double start_of(const RowPrediction& predicted) const;
  void see(const RowPrediction& predicted, float* out) const;
  MatrixF with_predictions(MatrixF inputs, const RowPredictions& predicted) const;
  void learn_prediction_offset(std::span<const double> f);

  std::string name_;
  std::shared_ptr<const Transform> transform_;
  std::shared_ptr<const Transform> scale_;  // what the localization trains: the transformation, or its base
  bool sees_prediction_ = false;
  double prediction_offset_ = 0;
  Encoder encoder_;
  double unit_ = 1;              // of residuals, in units of the target; 1 for `fixed`, which keeps every bit
  double least_half_width_ = 0;  // of predicted ends; 0 where f is all that is predicted
  Localization localization_;
  std::shared_ptr<const Shape> shape_;  // of a transformation with a base; null for others
};

struct ScoreModel::Fitted {
  ScoreModel score;
  bool fell_back = false;                   // what was trained did not beat `fixed` on validation rows
  std::vector<CandidateRecord> candidates;  // what validation rows compared
  TrainingRecord first_member;              // how the first member of what was kept was trained
};

}  // namespace taut
