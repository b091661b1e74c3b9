#include <taut/core/threads.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include <sched.h>

namespace taut {

int resolve_threads(int requested) {
  if (requested > 0) return requested;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void parallel_blocks(Index count, Index block, int threads, const std::function<void(Index, Index)>& work) {
  const Index blocks = (count + block - 1) / block;
  const Index workers = std::min<Index>(resolve_threads(threads), blocks);
  std::atomic<Index> next{0};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto drain = [&] {
    try {
      for (Index b = next++; b < blocks; b = next++) work(b * block, std::min(count, (b + 1) * block));
    } catch (...) {
      next = blocks;
      const std::lock_guard lock(failure_guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> helpers;
  for (Index w = 1; w < workers; ++w) helpers.emplace_back(drain);
  drain();
  helpers.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

double parallel_sum(Index count, int threads, const std::function<double(Index, Index)>& part) {
  constexpr Index block = 1 << 15;
  std::vector<double> parts(static_cast<std::size_t>((count + block - 1) / block));
  parallel_blocks(count, block, threads,
                  [&](Index begin, Index end) { parts[static_cast<std::size_t>(begin / block)] = part(begin, end); });
  double sum = 0;
  for (const double value : parts) sum += value;
  return sum;
}

}  // namespace taut
