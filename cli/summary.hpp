// The result of fitting and calibrating, in words.
#pragma once

#include <cli/terminal.hpp>
#include <taut/model/model.hpp>

namespace taut {

// What a fit made: notes on columns, parts, rows, calibration; and warnings of levels that calibration rows cannot serve.
void summarise_fit(const Model& model, const std::string& output, Terminal& terminal);

// A line for each column of the training table that was not plainly numeric: what it was taken for, and why.
std::vector<std::string> column_notes_in_words(const FitRecord& record);

// "500 rows of d.csv: predictor 400, transformation 400, validation 400, calibration 100"
std::string rows_in_words(const Model& model);

// Beside the ranks of a model that was fitted to rows in order.
inline constexpr std::string_view words_of_rows_in_order =
    "rows in order are not exchangeable with those that follow: nothing is promised for them; 'taut stream' keeps its level";

// Rank and delivered coverage at the usual levels and the one of --focus.
std::string calibration_in_words(const Model& model);

// One warning for each level that the calibration rows cannot serve; says the smallest number that can.
// A line on --sure, or nothing. `kind`: of the calibration.
std::string sure_promise(double sure, CalibrationKind kind);
void warn_of_too_few_rows(const Model& model, std::span<const double> levels, Terminal& terminal);

// The usual levels, and the one of --focus.
std::vector<double> usual_levels(const Model& model);

}  // namespace taut
