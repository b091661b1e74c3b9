// CV+ and jackknife+: every row trains and every row calibrates, for small tables.
//
// The rows are cut into K parts. For each part a model is trained on the others, and this model scores the part's rows. For a new
// x, a row i of part p gives an interval [lower_i, upper_i]: all y whose score by the model of p is at most the score of row i.
// With n rows and rank k = ⌈(n + 1) c⌉ the prediction interval reaches from the k-th largest lower_i to the k-th smallest upper_i
// (Barber, Candès, Ramdas and Tibshirani, 2021; for any nested intervals Gupta, Kuchibhotla and Ramdas, 2022).
//
// The models of two rows were trained on one another's rows, so ranks are not exact. Coverage is typically about c. For every
// distribution it is at least 2c − 1, less a small term if there are few large parts.
#pragma once

#include <taut/model/parts.hpp>

namespace taut {

// The number of parts that --split requests: "cv+" ten, "cv+:K" K, "jackknife+" one for each row; 0 for other values of --split.
// Throws Error if there are too few rows.
Index parts_held_out(const FitOptions& options, Index rows, const std::string& source);

// Throws if other options cannot be combined with CV+, or if there are too few rows.
void check_held_out(const FitOptions& options, Index rows, bool calibration_elsewhere, const std::string& source);

// For each part a model that is trained on the other rows and calibrated on the part. `whole`: the model of all rows; the kinds
// of columns must agree with its schema.
std::vector<std::unique_ptr<ModelParts>> fit_held_out(const TableView& table, const Rows& usable, const FitOptions& options,
                                                      const ModelParts& whole, const ExecutionContext& context);

// The coverage that is guaranteed for every distribution of the rows; at least 0.
double coverage_held_out(Index rows, Index parts, double confidence);

// A hint for the user of a table with few rows, for which CV+ gives narrower intervals; otherwise empty. It depends on the number
// of rows alone.
std::string few_rows_hint(const FitOptions& options, const RowPlan& plan);

}  // namespace taut
