// The columns of a table that a fit uses, and their checks.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

namespace taut {

// The columns that --target names: the one with exactly this name, otherwise those named between commas. A name may have commas
// itself: the longest name that fits is taken. Names that the table lacks are returned too.
std::vector<std::string> target_names(const TableView& table, const FitOptions& options);

// The input columns: all but the targets, given predictions, the column of --keep-together and those to drop. Unknown names are
// Errors.
std::vector<Column> input_columns(const TableView& table, const FitOptions& options);

// The numbers of a column for some rows, in the format of `column`. Other text, a missing cell or an infinite number is an Error
// that names its place. `role`: "target", "prediction" or "probability".
std::vector<double> numbers_of(const TableView& table, const Column& column, RowsView rows, const std::string& role);
std::vector<double> numbers_of(const TableView& table, const std::string& name, RowsView rows, const std::string& role);

// The predictions in the columns that the options name.
RowPredictions predictions_of(const TableView& table, const FitOptions& options, RowsView rows);
// The levels of a given distribution, those that stand for samples included; null if none is given.
std::shared_ptr<const QuantileLevels> levels_of(const FitOptions& options);
// Distributions from a row of quantiles or samples each.
RowPredictions distributions_of(std::shared_ptr<const QuantileLevels> levels, bool are_samples, Matrix cells);
// The number of rows whose given lower prediction is above the upper one, or whose given quantiles fall somewhere.
Index count_crossed(const TableView& table, const FitOptions& options);

// The targets, which must be in the declared range and multiples of the declared step. An Error names the first that is not, and
// how many there are.
std::vector<double> targets_of(const TableView& table, const Column& target, RowsView rows, const TargetRange& range);
// All rows, or with --skip-missing-target those that have a target. `target` is its column, whose kind decides which words mean a
// missing cell: None may be a class.
Rows usable_rows(const TableView& table, const FitOptions& options, const Column& target);
// The same for several targets: the rows that have at least one of them, or all.
enum class HasTargets { any, all };
Rows usable_rows(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted);
// Those of `rows` that have a target in each column, or in any of them.
Rows rows_with_targets(const TableView& table, std::span<const Column> targets, RowsView rows, HasTargets wanted);
// The rows of a fit: usable rows without those of weight 0, which are treated as absent. A weight that is negative, missing or
// not finite is an Error that names its row, and so are weights that are all 0.
Rows rows_of_fit(const TableView& table, const FitOptions& options, const Column& target);
Rows rows_of_fit(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted);
// The same of another table with targets, for calibration: it need not have the column of weights.
Rows rows_of_calibration(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted);
// The weights by --sample-weight of every row of the table, for a fit; empty without that option. Weights count as they are, so
// that 2 is the row twice. But weights with a mean below 1 or above max_mean_weight over `counted`, the rows for model selection,
// are no counts: they are scaled to the mean 1.
inline constexpr double max_mean_weight = 1e6;
std::vector<double> weights_of_fit(const TableView& table, const FitOptions& options, RowsView counted);
// The weights in a column for some rows. The same errors.
std::vector<double> sample_weights(const TableView& table, const std::string& column, RowsView rows);
// The exposures in a column for some rows: finite numbers above 0. Another cell is an Error that names its row.
std::vector<double> exposures(const TableView& table, const std::string& column, RowsView rows);
// Weights times exposures, with the mean 1 over `counted`. All are of every row of a table; `weights` may be empty.
std::vector<double> weights_by_exposure(std::span<const double> weights, std::span<const double> exposure, RowsView counted);
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
