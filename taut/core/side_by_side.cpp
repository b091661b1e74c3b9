#include <taut/core/side_by_side.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <atomic>

namespace taut {

void side_by_side(Index count, const Run& run, std::string_view stage, const std::function<void(Index, const Run&)>& work) {
  const int threads = resolve_threads(run.threads);
  Run own = run;
  own.threads = std::max(1, threads / static_cast<int>(count));
  if (count > 1) own.progress = nullptr;
  std::atomic<int> done{0};
  parallel_blocks(count, 1, threads, [&](Index which, Index) {
    work(which, own);
    if (count > 1) run.report(stage, ++done / static_cast<double>(count));
  });
}

}  // namespace taut
