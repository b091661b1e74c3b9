// Limits of a fit: a check of the available memory, and a sample of very many rows.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/options/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace taut {

// Training takes memory besides the table's. If there may be too little, the user is told before the training, with a remedy.

// Estimated bytes: numbers and categories as floats and bins, predictions, gradients and lists of rows. Measured with the default
// predictor and localizer; others take less. For one training at a time: several only run if there is memory for them.
std::size_t memory_of_training(Index rows, Index columns);

// Tells the user if `available` bytes may be too few; 0: unknown. Nothing is refused: it is an estimate, and linear predictors,
// for example, need less.
void check_memory(Index rows, Index columns, std::size_t available, const std::string& source, const ExecutionContext& context);

// The rows that a fit uses: at most --max-rows, the latest if rows are in order. Tells the user if some are left out.
Rows enough_rows(Rows usable, const FitOptions& options, const ExecutionContext& context);

// At most `maximum` of the rows, in their order, sampled uniformly without replacement. The sample depends only on the number of
// rows and the seed, never on their content, so calibration stays exact.
Rows sampled_rows(Rows rows, Index maximum, std::uint64_t seed);

}  // namespace taut
