#include <taut/model/fit_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds.hpp>
#include <taut/model/alarm.hpp>
#include <taut/model/columns.hpp>
#include <taut/train/level_names.hpp>

#include <algorithm>

namespace taut {

namespace {

void refuse_constant(std::span<const double> y, const TableView& table, const std::string& target) {
  if (y.empty() || std::any_of(y.begin(), y.end(), [&](double value) { return value != y.front(); })) return;
  throw Error(table.source() + ": the target '" + target + "' is " + print_number(y.front()) +
              " in every row that trains: there is nothing to predict");
}

}  // namespace

std::vector<double> FitRows::targets(RowsView rows) const {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const Index row : rows) result.push_back(y[static_cast<std::size_t>(row)]);
  return result;
}

FitRows fit_rows(const TableView& table, const FitOptions& options, const RowPlan& plan, const ExecutionContext& context) {
  const Rows choosing = plan.choosing();
  const TableView inputs = table.matched(input_columns(table, options));
  const auto schema = choose_kinds(inputs, choosing);
  const auto y = numbers_of(table, options.target, choosing, "target");
  refuse_constant(y, table, options.target);
  const TargetRange range = possible_targets(options, y);
  for (const auto& hint : {range_hint(y, options), level_hint(options.objective)})
    if (!hint.empty()) context.tell(hint);
  if (options.n_prediction_columns() == 2) {
    const Index crossed = predictions_of(table, options, choosing).crossed();
    for (const Alarm& alarm : alarms_of_crossed(crossed, std::ssize(choosing), options)) context.tell(alarm.words);
  }
  return {table, schema, inputs.matched(schema), range, targets_of(table, options.target, all_rows(table), range)};
}

}  // namespace taut
