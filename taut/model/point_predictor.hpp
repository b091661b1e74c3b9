// f(x) in the user's units: one predictor, or the mean of one per fold.
#pragma once

#include <taut/data/encoding.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/train/fit_localization.hpp>

namespace taut {

class PointPredictor {
 public:
  PointPredictor() = default;

  // Trains on `rows` of `x`. With folds, which count within `rows`, there is one member per fold, trained on the others, and
  // out_of_sample receives the prediction of every row by the member that has not seen it.
  PointPredictor(const std::string& name, const TableView& x, std::span<const double> y, RowsView rows,
                 const std::vector<TrainingPart>& folds, const PredictorSettings& settings, const ExecutionContext& context,
                 std::vector<double>* out_of_sample);

  std::vector<double> predict(const TableView& x, RowsView rows, int threads) const;
  double predict_row(const double* row) const;

  Index n_members() const { return static_cast<Index>(members_.size()); }

  void save(Archive archive) const;
  static PointPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  void standardise(std::span<const double> y, RowsView rows);
  std::vector<double> in_units(std::vector<double> standard) const;
  std::vector<double> mean_of_members(const MatrixF& inputs, int threads) const;

  std::string name_;
  Encoder encoder_;
  double centre_ = 0, unit_ = 1;  // y = centre + unit · (standard prediction)
  std::vector<std::unique_ptr<Predictor>> members_;
};

}  // namespace taut
