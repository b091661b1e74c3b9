#include <taut/core/side_by_side.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <atomic>

namespace taut {

void side_by_side(Index count, const Run& run, std::string_view stage, const std::function<void(Index, const Run&)>& work) {
  const int threads = resolve_threads(run.threads);
  std::atomic<int> done{0};
  const auto run_some = [&](Index first, Index some) {
    Run own = run;
    own.threads = std::max(1, threads / static_cast<int>(some));
    if (count > 1) own.progress = nullptr;
    parallel_blocks(some, 1, threads, [&](Index which, Index) {
      work(first + which, own);
      if (count > 1) run.report(stage, ++done / static_cast<double>(count));
    });
  };
  // Five jobs on two threads: four with a thread each, the last with both, instead of one that waits for the other.
  const Index last = count % threads, before = count - last;
  if (before > 0) run_some(0, before);
  if (last > 0) run_some(before, last);
}

}  // namespace taut
