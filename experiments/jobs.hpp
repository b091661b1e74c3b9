// Many independent jobs, as many at a time as there are threads; each finished one is kept in a file from which a later run goes
// on.
#pragma once

#include <experiments/figures.hpp>
#include <taut/core/execution_context.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct Job {
  // Says everything that the result depends on: two jobs with the same key have the same figures, today and tomorrow.
  std::string key;
  double cost = 1;  // roughly how long it takes beside the others: the longest start first, and the time left is told by it
  std::function<Figures(const ExecutionContext&)> work;
  // Jobs of one kind take the same time for the same cost. One of each kind comes first, so that the time left is soon known.
  std::string kind = {};
};

// The figures of every job in the order of `jobs`, and "seconds", how long the job took, as the last of them. `resume` names the
// file that keeps finished jobs, or is empty. The first finished job says how long all will take; an interrupt or an error says
// how much of the work the file holds.
std::vector<Figures> run_jobs(std::vector<Job> jobs, const std::string& resume, std::string_view stage,
                              const ExecutionContext& context);

}  // namespace taut
