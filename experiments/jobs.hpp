// Runs independent jobs on all threads. A file keeps the results of finished jobs, so that a later run can go on from there.
#pragma once

#include <experiments/markdown.hpp>
#include <taut/core/execution_context.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct Job {
  // Everything that the result depends on. Jobs with the same key have the same values, also in a later run.
  std::string key;
  double cost = 1;  // run time relative to the other jobs, roughly; for the order and the time left
  std::function<NamedValues(const ExecutionContext&)> work;
  // Jobs of one kind take the same time for the same cost. One job of each kind runs first, so that the time left is known early.
  std::string kind = {};
};

// Returns the values of every job in the order of `jobs`; the last value of each job is "seconds", its run time. `resume` names
// the file that keeps finished jobs; it may be empty. Messages report the time left after the first job, and the finished jobs in
// the file after an interrupt or an error.
std::vector<NamedValues> run_jobs(std::vector<Job> jobs, const std::string& resume, std::string_view stage,
                                  const ExecutionContext& context);

}  // namespace taut
