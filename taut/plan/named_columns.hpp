// Checks of the columns that options name, before any training.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/options/options.hpp>

namespace taut {

// Throws one Error for all names that the table lacks. Each is shown with its option and the most similar name.
void check_named_columns(const TableView& table, const FitOptions& asked);

// The same for a file of calibration rows (--calibrate-with), which needs fewer columns. Without --skip-missing-target a row
// without a target is an Error too.
void check_calibration_columns(const TableView& calibration, const FitOptions& options);

}  // namespace taut
