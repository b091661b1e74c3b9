#include <taut/core/threads.hpp>

#include <taut/core/memory.hpp>
#include <taut/core/thread_pool.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace taut {

int resolve_threads(int requested) {
  if (requested > 0) return requested;
#ifdef __linux__  // Linux may allow a process fewer cores than the machine has
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

namespace {

void run_blocks(Index count, Index block, int threads, const std::function<void(Index, Index)>& work) {
  if (count > block && (threads = resolve_threads(threads)) > 1) return ThreadPool::instance().run(count, block, threads, work);
  for (Index begin = 0; begin < count; begin += block) work(begin, std::min(count, begin + block));
}

}  // namespace

void parallel_blocks(Index count, Index block, int threads, const std::function<void(Index, Index)>& work) {
  if (count <= block || !is_traced_here()) return run_blocks(count, block, threads, work);
  TracedLoop loop;
  run_blocks(count, block, threads, [&](Index begin, Index end) { loop.run_block(work, begin, end); });
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
  std::mutex mutex;  // so that the reported progress never decreases
  Index done = 0;
  const int at_once = bytes_of_job > 0 ? jobs_at_once(inside.threads, bytes_of_job, available_bytes()) : inside.threads;
  parallel_blocks(count, 1, at_once, [&](Index which, Index) {
    work(which, inside);
    const std::lock_guard lock(mutex);
    context.report(stage, static_cast<double>(++done) / static_cast<double>(count));
  });
}

std::future<void> run_beside(std::function<void()> work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(work));
  }
}

}  // namespace taut
