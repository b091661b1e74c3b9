// Intervals of CV+ and jackknife+; see taut/model/held_out.hpp.
#pragma once

#include <taut/model/held_out.hpp>
#include <taut/task/number/regressor.hpp>

namespace taut {

// Levels that the models can answer; every interval is within `range`.
Predicted predict_held_out(const ModelParts& whole, const TableView& table, Rows rows, std::span<const double> levels,
                           int threads);
Answers ask_held_out(const ModelParts& whole, const TableView& table, std::span<const std::unique_ptr<Question>> questions,
                     const AskOptions& options, int threads);

}  // namespace taut
