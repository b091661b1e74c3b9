// How many rows each job of a fit gets, and which rows stay together.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

#include <array>
#include <string>
#include <vector>

namespace taut {

// How many rows each job of a fit gets, for plans of every kind.

inline constexpr Index folds_of_cross = 5;
// Three folds of one row: each predictor is trained on the other two, the fewest that can differ. A fourth row calibrates.
inline constexpr Index least_rows_of_cross = 3;

// What is planned: rows, or groups of rows, of which one may be enough.
struct Unit {
  const char* name;
  bool is_group;
};

// A fifth of the rows calibrates, more where that is too few.
double calibration_share(Index rows);

// Shares of predictor, transformation, validation and calibration as --split gives them.
std::array<double, 4> read_shares(const FitOptions& options);

// The same for so many rows; where calibration rows are elsewhere the others share all rows. Too few rows are an Error that says
// how many are needed.
std::array<double, 4> checked_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source,
                                     const Unit& unit);

// Whether no row is needed but for calibration: f is given, one width serves everywhere, and nothing that groups or inputs need
// is read off rows. Only where --split leaves the choice.
bool learns_nothing(const FitOptions& options);

[[noreturn]] void throw_too_few(const std::string& source, Index rows, Index least, const std::string& why,
                                const std::string& what = "rows");

// The units that splits of a table must respect: whole groups with --keep-together, the order of time with --in-order.

// One entry for each group of --keep-together, in the order of their values, else one for each row; with --order-by rows are in
// the order of their times. Unknown columns are Errors. `rows` are positions in the table.
std::vector<Rows> row_units(const TableView& table, Rows rows, const FitOptions& options, const ExecutionContext& context);

// All rows of some units, unit after unit.
Rows rows_of_units(const std::vector<Rows>& units, RowsView chosen);

}  // namespace taut
