// Independent jobs at the same time, such as the trainings of folds.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string_view>

namespace taut {

// Calls work(i, its context) for i = 0 ... count - 1, in this order as threads become free, as many at a time as there are
// threads: each keeps its own copies of rows and gradients, so more would cost memory. Every job may use all threads in its own
// loops; they get those that have no job of their own. Of several jobs progress counts those that are done, and what they report
// themselves is not shown.
void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work);

}  // namespace taut
