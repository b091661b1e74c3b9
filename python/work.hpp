// Long work without Python's lock, which Ctrl-C stops.
#pragma once

#include <python/bind.hpp>
#include <taut/core/execution_context.hpp>

#include <functional>
#include <string>
#include <vector>

namespace taut {

// Calls task(run) on a thread of its own while this one asks Python for signals; a signal whose handler raises (Ctrl-C) cancels
// the run and raises here once it has stopped. What the run says is appended to `said`.
void work(int threads, std::vector<std::string>& said, const std::function<void(const ExecutionContext&)>& task);

}  // namespace taut
