// Loops and sums over several threads, whose results do not depend on how many there are.
#pragma once

#include <taut/core/types.hpp>

#include <functional>

namespace taut {

// The number of threads that a request means; 0 asks for all cores that this process may use.
int resolve_threads(int requested);

// Calls work(begin, end) on blocks of [0, count), each `block` long but the last, on up to `threads` threads.
// Blocks are the same whatever the number of threads, so a result computed block by block is too.
// The first exception thrown by a block is rethrown here, and blocks that have not begun by then are skipped.
// Loops may be nested: all threads together are then at most as many as the outermost loop asks for.
void parallel_blocks(Index count, Index block, int threads, const std::function<void(Index begin, Index end)>& work);

// Sum of part(begin, end) over fixed blocks, added in order: the same bits for any number of threads.
double parallel_sum(Index count, int threads, const std::function<double(Index begin, Index end)>& part);

}  // namespace taut
