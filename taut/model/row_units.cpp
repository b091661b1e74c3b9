#include <taut/model/row_units.hpp>

#include <taut/core/error.hpp>
#include <taut/model/group_columns.hpp>
#include <taut/model/time_column.hpp>

namespace taut {

std::vector<Rows> row_units(const TableView& given, Rows rows, const FitOptions& options, const ExecutionContext& context) {
  const TableView table = given.with_missing(options.na);
  if (!options.keep_together.empty()) {
    table.require(options.keep_together);
    const Matrix none;
    const GroupedRows of{table, table, rows, none};
    GroupColumns together({options.keep_together}, "--keep-together", of, {}, of);
    together.find_groups(of);
    const std::vector<Index> groups = together.groups_of(of);
    std::vector<Rows> units(static_cast<std::size_t>(together.groups()));
    for (std::size_t i = 0; i < rows.size(); ++i) units[static_cast<std::size_t>(groups[i])].push_back(rows[i]);
    return units;
  }
  if (!options.order_by.empty()) {
    if (!find_column(table.columns(), options.order_by))
      throw Error("--order-by: " + missing_column(table.source(), options.order_by, table.names()));
    sort_by_time(table, time_column(table, options.order_by, rows), rows, context);
  }
  std::vector<Rows> units;
  units.reserve(rows.size());
  for (const Index row : rows) units.push_back({row});
  return units;
}

Rows rows_of_units(const std::vector<Rows>& units, RowsView chosen) {
  Rows rows;
  for (const Index unit : chosen) {
    const Rows& own = units[static_cast<std::size_t>(unit)];
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

}  // namespace taut
