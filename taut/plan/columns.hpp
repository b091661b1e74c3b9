// The columns of a table that a fit uses, checked at the door.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

namespace taut {

// The columns that are inputs: all but the target, the given predictions and those to drop. Unknown names are Errors.
std::vector<Column> input_columns(const TableView& table, const FitOptions& options);

// A column of numbers for some rows, in the format that `column` says; other text, a missing cell or an infinite one is an Error
// that names its place. `role`: "target", "prediction".
std::vector<double> numbers_of(const TableView& table, const Column& column, RowsView rows, const std::string& role);
std::vector<double> numbers_of(const TableView& table, const std::string& name, RowsView rows, const std::string& role);

// The predictions that the options name columns of.
RowPredictions predictions_of(const TableView& table, const FitOptions& options, RowsView rows);
// How many rows have a given lower prediction above the upper one.
Index count_crossed(const TableView& table, const FitOptions& options);

// The target, which must also be possible by the user's range and steps; an Error names the first that is not, and how many
// there are.
std::vector<double> targets_of(const TableView& table, const Column& target, RowsView rows, const TargetRange& range);
// All rows, or with --skip-missing-target those that have a target.
Rows usable_rows(const TableView& table, const FitOptions& options);
// The possible values by --y-min, --y-max and --y-step. `y` are targets of rows that may choose: where one of them is a product
// of doubles instead of a decimal, such products are possible too.
TargetRange possible_targets(const FitOptions& options, std::span<const double> y);

// Of --keep-together: a row without a value in this column is an Error. Rows without one are not one group, and rows of one
// group whose name is unknown must not be dealt out as if they were strangers.
void require_ids(const TableView& table, const std::string& column, RowsView rows);

// 0, 1, ... rows − 1.
Rows all_rows(const TableView& table);

// What the target's values in training rows suggest about --y-step and --y-min, as a sentence, or nothing.
std::string range_hint(std::span<const double> y, const FitOptions& options);

}  // namespace taut
