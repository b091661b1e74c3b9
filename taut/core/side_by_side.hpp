// Independent trainings, such as those of folds, next to one another.
#pragma once

#include <taut/core/run.hpp>
#include <taut/core/types.hpp>

#include <functional>
#include <string_view>

namespace taut {

// Calls work(i, its run) for i = 0 ... count − 1, one at a time on each thread: on tables of ordinary size this scales better
// than many threads inside one training. Each run has its share of the threads; where there are several, progress counts those
// done.
void side_by_side(Index count, const Run& run, std::string_view stage, const std::function<void(Index, const Run&)>& work);

}  // namespace taut
