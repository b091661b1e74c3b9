// Training takes memory besides the table's. Where there may be too little, that is said before hours are spent, with what helps.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <cstddef>
#include <string>

namespace taut {

// About so many bytes: numbers and categories as floats and bins, predictions, gradients and lists of rows. Measured, with the
// default predictor and localizer; others take less. One training at a time: several only run where there is memory for them.
std::size_t memory_of_training(Index rows, Index columns);

// `available`: bytes that may still be taken; 0: unknown. Says so where they may be too few. Nothing is refused: it is an
// estimate, and linear predictors, for example, need less.
void check_memory(Index rows, Index columns, std::size_t available, const std::string& source, const ExecutionContext& context);

}  // namespace taut
