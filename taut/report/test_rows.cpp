#include <taut/report/test_rows.hpp>

#include <taut/data/encoding.hpp>
#include <taut/data/standardise.hpp>
#include <taut/metric/slab.hpp>
#include <taut/model/columns.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

TableView features_of(const Regressor& model, const TableView& test, const std::vector<double>& f) {
  TableView features = test.matched(model.input_schema());
  features.add({std::string(prediction_name)}, f);
  return features;
}

std::vector<double> sorted_residuals(std::span<const double> y, std::span<const double> f) {
  std::vector<double> result;
  for (std::size_t i = 0; i < y.size(); ++i) result.push_back(std::abs(y[i] - f[i]));
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TestRows::TestRows(const Regressor& of_model, const TableView& test, const ExecutionContext& context)
    : model(of_model),
      y(targets_of(test, of_model.target(), all_rows(test), of_model.target_range())),
      f(of_model.predict(test, context)),
      features(features_of(of_model, test, f)),
      residuals(sorted_residuals(y, f)),
      search(features, static_cast<std::uint64_t>(of_model.options().seed)),
      alarms(of_model.alarms_of_rows(test, context)),
      chance(of_model.parts(), test, of_model.parts().see(test, context.threads), context.threads) {
  const TableView x = test.matched(of_model.input_schema());
  const Encoder encoder(Encoding::raw, x, all_rows(x));  // the same as in Regressor::evaluate
  inputs = standardised(encoder.encode(x, context.threads));
  columns_of_inputs = encoder.column_of_inputs();
}

}  // namespace taut
