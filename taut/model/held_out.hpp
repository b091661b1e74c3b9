// CV+ and jackknife+: every row trains and every row calibrates, for tables that cannot spare rows.
//
// The rows are cut into K parts. For each part a model is trained on the others, and the part's rows are scored by it. A row i of
// part p then says for a new x where y would lie if it were as far from the prediction as y_i was: an interval by the model of p,
// between lower_i and upper_i. With n rows and rank k = ⌈(n + 1) c⌉ the answer reaches from the k-th largest lower_i to the k-th
// smallest upper_i (Barber, Candès, Ramdas and Tibshirani, 2021; for any nested intervals Gupta, Kuchibhotla and Ramdas, 2022).
//
// The models of two rows have seen one another's rows, so ranks are not exact: as a rule coverage is about c, and whatever the
// law it is at least 2c − 1, less a little for few large parts.
#pragma once

#include <taut/model/parts.hpp>

namespace taut {

// How many parts --split asks for: "cv+" for ten, "cv+:K", "jackknife+" for as many as there are rows; 0 for other plans.
// An Error where rows are too few for it.
Index parts_held_out(const FitOptions& options, Index rows, const std::string& source);

// Throws where options do not go with it, or rows are too few.
void check_held_out(const FitOptions& options, Index rows, bool calibration_elsewhere, const std::string& source);

// For each part a model that was trained on the other rows and calibrated on the part. `whole`: the model of all rows, by whose
// columns tables are read.
std::vector<std::unique_ptr<ModelParts>> fit_held_out(const TableView& table, const Rows& usable, const FitOptions& options,
                                                      const ModelParts& whole, const ExecutionContext& context);

// The coverage that holds whatever the law of the rows, at least 0.
double coverage_held_out(Index rows, Index parts, double confidence);

}  // namespace taut
