// Independent jobs at the same time, such as the trainings of folds.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string_view>

namespace taut {

// Calls work(i, its context) for i = 0 ... count - 1, in this order as threads become free, as many at a time as there are
// threads: each keeps its own copies of rows and gradients, so more would cost memory. A job may ask for all threads in its own
// loops and gets those that have no job of their own. With several jobs, progress counts finished jobs; what the jobs themselves
// report is not shown.
void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work);

}  // namespace taut
