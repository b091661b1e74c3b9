// Many independent jobs, as many at a time as there are threads; each finished one is kept in a file from which a later run goes
// on.
#pragma once

#include <experiments/markdown.hpp>
#include <taut/core/execution_context.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct Job {
  // Says everything that the result depends on: jobs with the same key have the same values, also in a later run.
  std::string key;
  double cost = 1;  // roughly how long it takes compared with the others: decides the order and the time left
  std::function<NamedValues(const ExecutionContext&)> work;
  // Jobs of one kind take the same time for the same cost. One of each kind comes first, so that the time left is soon known.
  std::string kind = {};
};

// The values of every job in the order of `jobs`, and "seconds", how long the job took, as the last of them. `resume` names the
// file that keeps finished jobs, or is empty. After the first job the user hears how long all will take, after an interrupt or
// an error how much of the work the file holds.
std::vector<NamedValues> run_jobs(std::vector<Job> jobs, const std::string& resume, std::string_view stage,
                                  const ExecutionContext& context);

}  // namespace taut
