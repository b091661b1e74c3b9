// Independent jobs at the same time, such as the trainings of folds.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <cstddef>
#include <functional>
#include <string_view>

namespace taut {

// Calls work(i, its context) for i = 0 ... count - 1, in this order as threads become free, as many at a time as there are
// threads: each keeps its own copies of rows and gradients, so more would cost memory. Where `bytes_of_job` are given, fewer at a
// time if the memory that is left is not twice what they would take. A job may ask for all threads in its own loops and gets
// those that have no job of their own. With several jobs, progress counts finished jobs; what the jobs themselves report is not
// shown.
void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work, std::size_t bytes_of_job = 0);

// How many such jobs at a time, at least one. `available`: bytes of memory; 0: unknown.
int jobs_at_once(int threads, std::size_t bytes_of_job, std::size_t available);

}  // namespace taut
