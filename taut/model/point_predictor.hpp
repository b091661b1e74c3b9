// What is predicted at x in the user's units, f or two ends: by one predictor, or the mean of one per fold.
#pragma once

#include <taut/calibrate/row_prediction.hpp>
#include <taut/data/encoding.hpp>
#include <taut/model/row_plan.hpp>
#include <taut/predict/predictor.hpp>

namespace taut {

class PointPredictor {
 public:
  PointPredictor() = default;

  // Trained on plan.predictor, with predictions of every row of plan.transform by a predictor that has not seen it: with folds,
  // the member that the other folds trained.
  struct Fitted;
  static Fitted fit(const TableView& x, std::span<const double> y, const RowPlan& plan, const FitOptions& options,
                    const ExecutionContext& context);

  RowPredictions predict(const TableView& x, RowsView rows, int threads) const;
  RowPrediction predict_row(const double* row) const;

  Index n_members() const { return static_cast<Index>(members_.size()); }

  void save(Archive archive) const;
  static PointPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  PointPredictor(const std::string& name, std::span<const double> y, RowsView rows);
  RowPredictions train(const TableView& x, std::span<const double> y, RowsView rows, const std::vector<TrainingPart>& folds,
                       const PredictorSettings& settings, const ExecutionContext& context);
  void standardise(std::span<const double> y, RowsView rows);
  RowPredictions in_units(const std::vector<double>& standard) const;
  RowPredictions mean_of_members(const MatrixF& inputs, int threads) const;

  std::string name_;
  std::size_t outputs_ = 1;
  Encoder encoder_;
  double centre_ = 0, unit_ = 1;  // y = centre + unit · (standard prediction)
  std::vector<std::unique_ptr<Predictor>> members_;
};

struct PointPredictor::Fitted {
  PointPredictor predictor;
  RowPredictions out_of_sample;  // of plan.transform
};

}  // namespace taut
