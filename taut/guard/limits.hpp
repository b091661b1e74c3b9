// Limits of a fit: memory that may be too little, and very many rows of which some are used.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/options/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace taut {

// Training takes memory besides the table's. Where there may be too little, that is said before hours are spent, with what helps.

// About so many bytes: numbers and categories as floats and bins, predictions, gradients and lists of rows. Measured, with the
// default predictor and localizer; others take less. One training at a time: several only run where there is memory for them.
std::size_t memory_of_training(Index rows, Index columns);

// `available`: bytes that may still be taken; 0: unknown. Says so where they may be too few. Nothing is refused: it is an
// estimate, and linear predictors, for example, need less.
void check_memory(Index rows, Index columns, std::size_t available, const std::string& source, const ExecutionContext& context);

// Of very many rows a fit may use some (--max-rows).

// The rows that a fit uses: at most --max-rows, and says so where some are left out. Rows in order: the latest of them.
Rows enough_rows(Rows usable, const FitOptions& options, const ExecutionContext& context);

// So many of the rows at most, in their order; every choice is as likely as any other. Which rows they are depends on their
// number and the seed alone, never on what is in them: calibration stays exact.
Rows drawn_rows(Rows rows, Index most, std::uint64_t seed);

}  // namespace taut
