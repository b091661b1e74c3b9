// What a model is made of; inside the library only.
#pragma once

#include <taut/drift/input_summary.hpp>
#include <taut/model/model.hpp>
#include <taut/model/point_predictor.hpp>
#include <taut/model/score_model.hpp>
#include <taut/model/seen_rows.hpp>

namespace taut {

// Some rows as the model sees them: their inputs, what is predicted for them, and g.
struct SeenByModel {
  TableView x;
  Rows rows;
  RowPredictions predicted;
  Matrix g;
};

struct ModelParts {
  FitOptions options;
  FitRecord record;
  std::vector<Column> schema;  // input columns in the order of training
  Column target;               // how its texts are read
  PointPredictor predictor;    // unused where f is a column
  PointFunction function;      // f where tables lack that column; empty: they must have it
  ScoreModel score;
  TargetRange range;  // the possible values of the target
  Law law;
  InputSummary calibration_inputs;
  SeenRows seen_rows;

  TableView inputs_of(const TableView& table) const { return table.matched(schema); }
  RowPredictions predict(const TableView& table, const TableView& x, RowsView rows, int threads) const;
  RowPrediction predict_row(std::span<const double> row) const;
  SeenByModel see(const TableView& table, Rows rows, int threads) const;
  SeenByModel see(const TableView& table, int threads) const;
  // f and, where φ has them, log scales: columns that drift checks compare besides the inputs.
  Matrix outputs(const SeenByModel& seen) const;

  // Scores of rows that chose nothing become the law.
  void calibrate(const TableView& table, Rows rows, const ExecutionContext& context);
};

}  // namespace taut
