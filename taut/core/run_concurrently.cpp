#include <taut/core/run_concurrently.hpp>

#include <taut/core/memory.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <mutex>

namespace taut {

int jobs_at_once(int threads, std::size_t bytes_of_job, std::size_t available) {
  if (available == 0 || bytes_of_job == 0) return threads;
  return static_cast<int>(std::clamp<std::size_t>(available / (2 * bytes_of_job), 1, static_cast<std::size_t>(threads)));
}

void run_concurrently(Index count, const ExecutionContext& context, std::string_view stage,
                      const std::function<void(Index, const ExecutionContext&)>& work, std::size_t bytes_of_job) {
  if (count == 1) return work(0, context);
  ExecutionContext inside = context;
  inside.threads = resolve_threads(context.threads);
  inside.progress = nullptr;
  std::mutex mutex;  // so that what is reported never goes back
  Index done = 0;
  const int at_once = bytes_of_job > 0 ? jobs_at_once(inside.threads, bytes_of_job, available_bytes()) : inside.threads;
  parallel_blocks(count, 1, at_once, [&](Index which, Index) {
    work(which, inside);
    const std::lock_guard lock(mutex);
    context.report(stage, static_cast<double>(++done) / static_cast<double>(count));
  });
}

}  // namespace taut
