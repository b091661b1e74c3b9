// Loops, sums, jobs and background work on several threads; results do not depend on how many there are.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <cstddef>
#include <functional>
#include <future>
#include <string_view>

namespace taut {

// Loops and sums over several threads, whose results do not depend on how many there are.

// The number of threads that a request means; 0 asks for all cores that this process may use.
int resolve_threads(int requested);

// Calls work(begin, end) on blocks of [0, count), each `block` long but the last, on up to `threads` threads.
// Blocks are the same whatever the number of threads, so a result computed block by block is too.
// The first exception thrown by a block is rethrown here, and blocks that have not begun by then are skipped.
// Loops may be nested: all threads together are then at most as many as the outermost loop asks for.
void parallel_blocks(Index count, Index block, int threads, const std::function<void(Index begin, Index end)>& work);

// Sum of part(begin, end) over fixed blocks, added in order: the same bits for any number of threads.
double parallel_sum(Index count, int threads, const std::function<double(Index begin, Index end)>& part);

// Independent jobs at the same time, such as the trainings of folds.

// Calls work(i, its context) for i = 0 ... count - 1, in this order as threads become free, as many at a time as there are
// threads: each keeps its own copies of rows and gradients, so more would cost memory. Where `bytes_of_job` are given, fewer at a
// time if the memory that is left is not twice what they would take. A job may ask for all threads in its own loops and gets
// those that have no job of their own. With several jobs, progress counts finished jobs; what the jobs themselves report is not
// shown.
void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work, std::size_t bytes_of_job = 0);

// How many such jobs at a time, at least one. `available`: bytes of memory; 0: unknown.
int jobs_at_once(int threads, std::size_t bytes_of_job, std::size_t available);

// Work on a thread of its own while the caller goes on: for what must not keep a row waiting.

// What the work throws comes out of get(). Letting the future go waits for the work, so that one should know how to end early. A
// system without a thread to spare does the work in get().
std::future<void> run_beside(std::function<void()> work);

}  // namespace taut
