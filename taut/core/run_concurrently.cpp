#include <taut/core/run_concurrently.hpp>

#include <taut/core/threads.hpp>

#include <mutex>

namespace taut {

void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work) {
  if (count == 1) return work(0, context);
  ExecutionContext inside = context;
  inside.threads = resolve_threads(context.threads);
  inside.progress = nullptr;
  std::mutex mutex;  // so that what is reported never goes back
  Index done = 0;
  parallel_blocks(count, 1, inside.threads, [&](Index which, Index) {
    work(which, inside);
    const std::lock_guard lock(mutex);
    context.report(stage, static_cast<double>(++done) / static_cast<double>(count));
  });
}

}  // namespace taut
