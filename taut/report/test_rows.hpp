// The test rows as all levels look at them.
#pragma once

#include <taut/calibrate/target_range.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/model.hpp>
#include <taut/report/regions.hpp>

#include <string_view>
#include <vector>

namespace taut {

struct TestRows {
  TestRows(const Model& model, const TableView& test, const ExecutionContext& context);

  const Model& model;
  std::vector<double> y, f;
  TableView features;             // the model's inputs, then the prediction; categories as codes
  MatrixF inputs;                 // as the metrics take them
  std::vector<double> residuals;  // |y - f|, sorted
  RegionSearch search;

  Index rows() const { return static_cast<Index>(y.size()); }
  TargetRange range() const { return {model.options().y_min, model.options().y_max, model.options().y_step}; }
};

// The last column of TestRows::features.
inline constexpr std::string_view prediction_name = "prediction f(x)";

}  // namespace taut
