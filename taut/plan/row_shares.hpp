// The shares of the rows for the predictor, the transformation, validation and calibration, and the rows that stay together.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

#include <array>
#include <string>
#include <vector>

namespace taut {

inline constexpr Index folds_of_cross = 5;
// Three folds of one row: each predictor is trained on two rows, the minimum for a spread. A fourth row calibrates.
inline constexpr Index min_rows_of_cross = 3;

// The unit of a plan: rows or groups of rows. A single group may be enough where several rows are needed.
struct Unit {
  const char* name;
  bool is_group;
};

// The share of calibration rows: a fifth, or more if that is too few rows.
double calibration_share(Index rows, const FitOptions& options);

// The shares of predictor, transformation, validation and calibration in --split. Throws UsageError if it has no valid shares.
std::array<double, 4> read_shares(const FitOptions& options);

// The same, checked for a number of rows. If calibration rows are elsewhere, the other shares are scaled to 1. Too few rows are
// an Error that says how many are needed.
std::array<double, 4> checked_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source,
                                     const Unit& unit);

// True if all rows can calibrate: f is given, intervals have one width everywhere, groups and inputs are not learnt from rows,
// and --split is not given.
bool can_all_rows_calibrate(const FitOptions& options);

[[noreturn]] void throw_too_few(const std::string& source, Index rows, Index minimum, const std::string& why,
                                const std::string& what = "rows");

// The units that a split of a table must not divide: one entry for each group of --keep-together, in the order of their values,
// or one for each row. With --order-by, rows are sorted by time. Unknown columns are Errors. `rows` are positions in the table.
std::vector<Rows> row_units(const TableView& table, Rows rows, const FitOptions& options, const ExecutionContext& context);

// All rows of some units, unit after unit.
Rows rows_of_units(const std::vector<Rows>& units, RowsView chosen);

}  // namespace taut
