// The test rows as all levels look at them.
#pragma once

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/coverage_chance.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/report/regions.hpp>

#include <string_view>
#include <vector>

namespace taut {

struct TestRows {
  TestRows(const Regressor& model, const TableView& test, const ExecutionContext& context);

  const Regressor& model;
  std::vector<double> y, f;
  TableView features;                    // the model's inputs, then the prediction; categories as codes
  MatrixF inputs;                        // as the metrics take them
  std::vector<Index> columns_of_inputs;  // in features, for each of them: a date gives several inputs
  std::vector<double> residuals;         // |y - f|, sorted
  RegionSearch search;
  std::vector<Alarm> alarms;  // about the rows themselves
  CoverageChance chance;

  Index rows() const { return static_cast<Index>(y.size()); }
  bool is_plain() const { return kind_of(model) == CalibrationKind::plain; }
  const TargetRange& range() const { return model.target_range(); }
};

// The last column of TestRows::features.
inline constexpr std::string_view prediction_name = "prediction f(x)";

}  // namespace taut
