// Fits from arrays instead of a table, and with a function instead of predictions.
#include <taut/core/error.hpp>
#include <taut/model/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <array>

namespace taut {

namespace {
constexpr const char* prediction_name = "prediction";
constexpr const char* lower_name = "lower_prediction";
constexpr const char* upper_name = "upper_prediction";
constexpr const char* target_name = "y";
}  // namespace

Table Regressor::table_of(const Arrays& arrays) {
  const Matrix& x = arrays.x;
  struct Given {
    std::span<const double> values;
    const char *what, *column;
  };
  const std::array given = {Given{arrays.predictions, "predictions", prediction_name},
                            Given{arrays.lower_predictions, "lower_predictions", lower_name},
                            Given{arrays.upper_predictions, "upper_predictions", upper_name}, Given{arrays.y, "y", target_name}};
  for (const Given& one : given)
    if (!one.values.empty() && std::ssize(one.values) != x.rows())
      throw UsageError(std::string(one.what) + ": expected one number for each of the " + std::to_string(x.rows()) +
                       " rows of x, got " + std::to_string(one.values.size()));
  Table table;
  table.source = "the arrays";
  for (Index column = 0; column < x.cols(); ++column) table.columns.push_back({"x" + std::to_string(column)});
  for (const Given& one : given)
    if (!one.values.empty()) table.columns.push_back({one.column});
  table.values.resize(x.rows(), static_cast<Index>(table.columns.size()));
  table.values.leftCols(x.cols()) = x;
  Index next = x.cols();
  for (const Given& one : given)
    if (!one.values.empty()) table.values.col(next++) = Eigen::Map<const Eigen::VectorXd>(one.values.data(), x.rows());
  return table;
}

Regressor Regressor::fit(const Arrays& arrays, FitOptions options, const ExecutionContext& context) {
  options.target = target_name;
  if (!arrays.predictions.empty()) options.prediction = prediction_name;
  if (!arrays.lower_predictions.empty()) options.lower_prediction = lower_name;
  if (!arrays.upper_predictions.empty()) options.upper_prediction = upper_name;
  return fit(table_of(arrays), options, context);
}

// The function's predictions become a column, so that everything after it is as with given predictions.
Regressor Regressor::fit(const TableView& given, FitOptions options, PointFunction function, const ExecutionContext& context) {
  const TableView table = given.with_missing(options.na);
  if (options.prediction.empty()) options.prediction = prediction_name;
  if (find_column(table.columns(), options.prediction))
    throw UsageError("the table has a column '" + options.prediction + "' already; name another with options.prediction");
  if (options.has_past())
    throw UsageError(
        "lags and rolling make inputs that a predicting function does not know; let Taut fit the predictor, or give the "
        "predictions as a column");
  FitOptions without = options;
  without.prediction.clear();
  const TableView inputs = table.matched(input_columns(table, without));
  std::vector<double> predictions = function(inputs);
  if (std::ssize(predictions) != table.rows())
    throw Error("the predicting function gave " + std::to_string(predictions.size()) + " numbers for " +
                std::to_string(table.rows()) + " rows");
  TableView with_predictions = table;
  with_predictions.add({options.prediction}, std::move(predictions));
  Regressor model = fit(with_predictions, options, context);
  dynamic_cast<NumberTask&>(*model.parts_->task).function = std::move(function);
  return model;
}

}  // namespace taut
