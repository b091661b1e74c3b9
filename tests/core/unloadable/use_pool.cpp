// A shared library with its own thread pool, loaded and unloaded by process_test.cpp.
#include <taut/core/threads.hpp>

#include <atomic>
#include <barrier>

extern "C" long sum_on_three_threads() {
  std::barrier together(3);
  std::atomic<long> sum{0};
  taut::parallel_blocks(9, 1, 3, [&](taut::Index i, taut::Index) {
    sum += i;
    together.arrive_and_wait();
  });
  return sum;
}
