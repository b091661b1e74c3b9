// Independent trainings, such as those of folds, next to one another.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string_view>

namespace taut {

// Small jobs are all begun at once and take turns on the threads, so that five on two threads end together instead of leaving one
// thread idle half of the time. Of large ones, whose memory counts, only as many are under way as there are threads.
enum class Jobs { small, large };

// From so many rows on a training counts as large; its loops are long enough to share out, too.
inline constexpr Index rows_of_large_jobs = 100'000;
inline Jobs jobs_of(Index rows) { return rows < rows_of_large_jobs ? Jobs::small : Jobs::large; }

// Calls work(i, its run) for i = 0 ... count − 1: on tables of ordinary size this scales better than many threads inside one
// training. Each run has its share of the threads; where there are several, progress counts those done, and a job passes its turn
// on whenever it reports.
void side_by_side(Index count, Jobs jobs, const ExecutionContext& context, std::string_view stage,
                  const std::function<void(Index, const ExecutionContext&)>& work);

}  // namespace taut
