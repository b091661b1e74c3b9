// φ_x: how a distance from f(x) becomes a score. The transformation, its trained parameters g(x), and what g sees.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/data/encoding.hpp>
#include <taut/model/options.hpp>
#include <taut/model/row_plan.hpp>
#include <taut/train/choose_transform.hpp>

#include <memory>

namespace taut {

class ScoreModel {
 public:
  ScoreModel();  // `fixed`: one width everywhere

  // Trained on out-of-sample predictions `f` and targets `y` of plan.transform; validation rows may keep `fixed`.
  struct Fitted;
  static Fitted fit(const TableView& x, std::span<const double> f, std::span<const double> y, const RowPlan& plan,
                    const FitOptions& options, const ExecutionContext& context);

  const std::string& transform_name() const { return name_; }
  const Transform& transform() const { return *transform_; }
  const Localization& localization() const { return localization_; }

  // g at some rows, whose predictions are f: as many parameters as the transformation has, for one side or for both.
  Matrix params(const TableView& x, RowsView rows, std::span<const double> f, int threads) const;
  Matrix params_of_row(const double* cells, double f) const;
  // The score at a row with these parameters.
  RowScore at(double f, const double* g) const;

  // Where φ is a scale in disguise: log s for each side, in units of the residuals' unit. No columns for other φ, nor for
  // `fixed`.
  Matrix log_scales(const Matrix& g) const;
  Index n_log_scales() const { return transform_->is_scale() && transform_->n_params() > 0 ? localization_.sides() : 0; }
  double unit() const { return unit_; }

  void save(Archive archive) const;
  static ScoreModel load(const Archive& archive, const std::vector<Column>& schema);

 private:
  void set_transform(const std::string& name);
  void learn_prediction_offset(std::span<const double> f);
  float prediction_input(double f) const;
  MatrixF with_prediction(MatrixF inputs, std::span<const double> f) const;

  std::string name_;
  std::shared_ptr<const Transform> transform_;
  bool sees_prediction_ = false;
  double prediction_offset_ = 0;  // subtracted from f before it becomes an input
  Encoder encoder_;
  double unit_ = 1;  // of residuals, in units of the target; 1 for `fixed`, which keeps every bit
  Localization localization_;
};

struct ScoreModel::Fitted {
  ScoreModel score;
  bool fell_back = false;                   // what was trained did not beat `fixed` on validation rows
  std::vector<CandidateRecord> candidates;  // what validation rows compared
  TrainingRecord first_member;              // how the first member of what was kept was trained
};

}  // namespace taut
