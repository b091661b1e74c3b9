// Text that describes the result of fitting and calibrating.
#pragma once

#include <cli/terminal.hpp>
#include <taut/model/model.hpp>

namespace taut {

// quiet: warnings only. usual: what was fitted and how well, the kinds of columns, the levels. verbose: also all parts.
enum class Detail { quiet, usual, verbose };

// Prints the result of a fit, and warns of levels with too few calibration rows. `data`: the file of its rows, as the user wrote
// it.
void summarise_fit(const Model& model, const std::string& data, const std::string& output, Detail detail, Terminal& terminal);

// "price from 18 columns of 15,129 rows; mean absolute error of out-of-fold rows 69,500, 0.31 of a constant's"
std::string describe_result(const Model& model);
// "3 categories, 1 date, 2 left out (id, url)": the columns that are not plain numbers; empty if there are none.
std::string count_column_kinds(const FitRecord& record);

// One line for each column of the training table that is not plainly numeric: the kind that was inferred, and why.
std::vector<std::string> describe_column_notes(const FitRecord& record);

// "500 rows of d.csv: predictor 400, transformation 400, validation 400, calibration 100"
std::string describe_rows(const Model& model);
// Sentences on rows that were left out, and on columns that say how much rows count.
std::vector<std::string> describe_weights(const Model& model);

// Printed with the ranks of a model that was fitted to rows in order.
inline constexpr std::string_view note_on_rows_in_order =
    "rows in order are not exchangeable with those that follow: nothing is promised for them; 'taut stream' keeps its level";

// Rank and delivered coverage at the usual levels and at the level of --focus.
std::string describe_calibration(const Model& model);

// A line on --sure; empty without it. `kind` is that of the calibration.
std::string sure_promise(double sure, CalibrationKind kind);

// Warns of each level with too few calibration rows, and says how many it needs.
void warn_of_too_few_rows(const Model& model, std::span<const double> levels, Terminal& terminal);

// The usual levels, and the level of --focus.
std::vector<double> usual_levels(const Model& model);

}  // namespace taut
