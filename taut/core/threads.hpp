// Loops, sums, jobs and background work on several threads. Results do not depend on the number of threads.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <cstddef>
#include <functional>
#include <future>
#include <string_view>

namespace taut {

// The number of threads for a request: itself, or all cores that this process may use if it is not positive.
int resolve_threads(int requested);

// Calls work(begin, end) on blocks of [0, count), each of length `block` except the last, on up to `threads` threads.
// Blocks do not depend on the number of threads, so neither does a result that is computed block by block.
// The first exception thrown by a block is rethrown here, and blocks that have not begun by then are skipped.
// Loops may be nested: all of them together then use at most the threads that the outermost loop asks for.
void parallel_blocks(Index count, Index block, int threads, const std::function<void(Index begin, Index end)>& work);

// The sum of part(begin, end) over fixed blocks, added in order: the same bits for any number of threads.
double parallel_sum(Index count, int threads, const std::function<double(Index begin, Index end)>& part);

// Runs independent jobs at the same time, such as the training of folds. Calls work(i, context of the job) for i = 0 ...
// count - 1. Jobs start in this order when threads become free, at most one job per thread: each job has its own copies of rows
// and gradients, so more jobs would cost memory. If `bytes_of_job` is given, fewer jobs run at the same time, so that together
// they need at most half of the available memory. A job may ask for all threads in its own loops and gets those that have no job.
// With several jobs, progress counts finished jobs, and the progress of the jobs themselves is not shown.
void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work, std::size_t bytes_of_job = 0);

// The number of such jobs at the same time, at least one. `available` is in bytes of memory, 0 if unknown.
int jobs_at_once(int threads, std::size_t bytes_of_job, std::size_t available);

// Runs the work on a separate thread while the caller continues, for example work that must not delay a prediction. get()
// rethrows its exception. The destructor of the future waits for the work, so long work needs a way to stop early. If the system
// has no free thread, get() runs the work.
std::future<void> run_beside(std::function<void()> work);

}  // namespace taut
