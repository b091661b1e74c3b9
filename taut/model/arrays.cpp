// The door for those who have arrays instead of a table.
#include <taut/core/error.hpp>
#include <taut/model/model.hpp>

namespace taut {

namespace {
constexpr const char* prediction_name = "prediction";
constexpr const char* target_name = "y";
}  // namespace

Table Model::table_of(const Matrix& x, std::span<const double> predictions, std::span<const double> y) {
  const auto check = [&](std::span<const double> values, const char* what) {
    if (!values.empty() && static_cast<Index>(values.size()) != x.rows())
      throw UsageError(std::string(what) + ": expected one number for each of the " + std::to_string(x.rows()) +
                       " rows of x, got " + std::to_string(values.size()));
  };
  check(predictions, "predictions");
  check(y, "y");
  Table table;
  table.source = "the arrays";
  for (Index column = 0; column < x.cols(); ++column) table.columns.push_back({"x" + std::to_string(column), false, {}});
  if (!predictions.empty()) table.columns.push_back({prediction_name, false, {}});
  if (!y.empty()) table.columns.push_back({target_name, false, {}});
  table.values.resize(x.rows(), static_cast<Index>(table.columns.size()));
  table.values.leftCols(x.cols()) = x;
  Index next = x.cols();
  for (const auto& values : {predictions, y})
    if (!values.empty()) table.values.col(next++) = Eigen::Map<const Eigen::VectorXd>(values.data(), x.rows());
  return table;
}

Model Model::fit(const Matrix& x, std::span<const double> predictions, std::span<const double> y, FitOptions options,
                 const ExecutionContext& context) {
  options.target = target_name;
  if (!predictions.empty()) options.prediction = prediction_name;
  return fit(table_of(x, predictions, y), options, context);
}

}  // namespace taut
