// The columns of a table that a fit uses, and their checks.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

namespace taut {

// The input columns: all but the target, given predictions, the column of --keep-together and those to drop. Unknown names are
// Errors.
std::vector<Column> input_columns(const TableView& table, const FitOptions& options);

// The numbers of a column for some rows, in the format of `column`. Other text, a missing cell or an infinite number is an Error
// that names its place. `role`: "target", "prediction" or "probability".
std::vector<double> numbers_of(const TableView& table, const Column& column, RowsView rows, const std::string& role);
std::vector<double> numbers_of(const TableView& table, const std::string& name, RowsView rows, const std::string& role);

// The predictions in the columns that the options name.
RowPredictions predictions_of(const TableView& table, const FitOptions& options, RowsView rows);
// The number of rows whose given lower prediction is above the upper one.
Index count_crossed(const TableView& table, const FitOptions& options);

// The targets, which must be in the declared range and multiples of the declared step. An Error names the first that is not, and
// how many there are.
std::vector<double> targets_of(const TableView& table, const Column& target, RowsView rows, const TargetRange& range);
// All rows, or with --skip-missing-target those that have a target. `target` is its column, whose kind decides which words mean a
// missing cell: None may be a class.
Rows usable_rows(const TableView& table, const FitOptions& options, const Column& target);
// The possible values by --y-min, --y-max and --y-step. `y` are targets of the rows for model selection. If one of them is
// a product of doubles instead of a decimal (3 * 0.1 instead of 0.3), such products are possible too.
TargetRange possible_targets(const FitOptions& options, std::span<const double> y);

// Throws an Error if a row has no value in the column of --keep-together. Such rows are not one group, and they cannot be split
// as separate groups either, because some may belong together.
void require_ids(const TableView& table, const std::string& column, RowsView rows);

// 0, 1, ... rows − 1.
Rows all_rows(const TableView& table);

// A hint for the user if the targets of training rows suggest --y-step, or --y-min for intervals that reach below 0; otherwise
// empty.
std::string range_hint(std::span<const double> y, const FitOptions& options, bool reaches_below_zero);

}  // namespace taut
