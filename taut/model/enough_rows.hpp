// Of very many rows a fit may use some (--max-rows).
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/model/options.hpp>

#include <cstdint>

namespace taut {

// The rows that a fit uses: at most --max-rows, and says so where some are left out. Rows in order: the latest of them.
Rows enough_rows(Rows usable, const FitOptions& options, const ExecutionContext& context);

// So many of the rows at most, in their order; every choice is as likely as any other. Which rows they are depends on their
// number and the seed alone, never on what is in them: calibration stays exact.
Rows drawn_rows(Rows rows, Index most, std::uint64_t seed);

}  // namespace taut
