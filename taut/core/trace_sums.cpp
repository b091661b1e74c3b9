#include <taut/core/trace_sums.hpp>

#include <algorithm>
#include <numeric>

namespace taut {

namespace {

constexpr std::size_t last = trace_thread_counts.size() - 1;

}  // namespace

void TraceSums::add_strand(std::size_t stage, double time) {
  work[stage] += time;
  path[stage] += time;
  for (double& value : seconds) value += time;
}

void TraceSums::add(const TraceSums& loop) {
  for (std::size_t s = 0; s < work.size(); ++s) {
    work[s] += loop.work[s];
    path[s] += loop.path[s];
  }
  for (std::size_t p = 0; p < seconds.size(); ++p) seconds[p] += loop.seconds[p];
}

void TraceSums::join(const TraceSums& block) {
  for (std::size_t s = 0; s < work.size(); ++s) work[s] += block.work[s];
  if (block.seconds[last] > seconds[last]) path = block.path;
  for (std::size_t p = 0; p < seconds.size(); ++p) seconds[p] = std::max(seconds[p], block.seconds[p]);
}

void TraceSums::finish_loop() {
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  for (std::size_t p = 0; p < seconds.size(); ++p) {
    const double shared = all / trace_thread_counts[p];
    if (!(shared > seconds[p])) continue;
    seconds[p] = shared;
    if (p == last)
      std::transform(work.begin(), work.end(), path.begin(), [](double one) { return one / trace_thread_counts[last]; });
  }
}

}  // namespace taut
