#include <experiments/jobs.hpp>

#include <experiments/resume_file.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

namespace taut {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string counted(std::size_t count) { return print_count(static_cast<long long>(count)); }

std::string time_in_words(double seconds) {
  if (seconds < 90) return print_rounded(std::ceil(seconds), 3) + " s";
  return print_rounded(std::ceil(seconds / 60), 4) + " min";
}

// How far the work is, by cost, and when it will be done if it goes on like this.
class Progress {
 public:
  Progress(double all, std::string_view stage, const ExecutionContext& context) : all_(all), stage_(stage), context_(context) {}

  void skip(double cost) { all_ -= cost; }
  void finished(double cost) {
    const std::lock_guard lock(mutex_);
    done_ += cost;
    const double share = all_ > 0 ? done_ / all_ : 1;
    context_.report(stage_ + ", " + time_in_words(seconds_since(start_) * (1 - share) / share) + " left", share);
  }

 private:
  double all_, done_ = 0;
  std::string stage_;
  const ExecutionContext& context_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

// The interrupt as the user should hear of it where finished work is kept.
class InterruptedButKept final : public Interrupted {
 public:
  InterruptedButKept(const std::string& path, std::size_t done, std::size_t jobs)
      : text_("interrupted: " + path + " holds " + counted(done) + " of " + counted(jobs) +
              " fits; the same command goes on from there") {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace

std::vector<Figures> run_jobs(std::vector<Job> jobs, const std::string& resume, std::string_view stage,
                              const ExecutionContext& context) {
  ResumeFile file(resume);
  std::vector<Figures> results(jobs.size());
  double cost = 0;
  for (const auto& job : jobs) cost += job.cost;
  Progress progress(cost, stage, context);

  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (const auto known = file.find(jobs[i].key)) {
      results[i] = *known;
      progress.skip(jobs[i].cost);
    } else {
      todo.push_back(i);
    }
  }
  if (todo.size() < jobs.size())
    context.tell(file.path() + ": " + counted(jobs.size() - todo.size()) + " of " + counted(jobs.size()) +
                 " fits are done already");
  std::stable_sort(todo.begin(), todo.end(), [&](std::size_t a, std::size_t b) { return jobs[a].cost > jobs[b].cost; });

  const int threads = resolve_threads(context.threads);
  ExecutionContext own;
  own.threads = threads;  // in its loops a job gets those that have no job of their own
  own.cancelled = context.cancelled;
  try {
    context.report(stage, 0);
    parallel_blocks(std::ssize(todo), 1, threads, [&](Index which, Index) {
      const std::size_t i = todo[static_cast<std::size_t>(which)];
      own.report(stage, 0);
      const auto start = Clock::now();
      results[i] = jobs[i].work(own);
      results[i].emplace_back("seconds", seconds_since(start));
      jobs[i].work = nullptr;  // lets go of what only this job still needed
      file.add(jobs[i].key, results[i]);
      progress.finished(jobs[i].cost);
    });
  } catch (const Interrupted&) {
    if (!file.open()) throw;
    const auto done = std::count_if(jobs.begin(), jobs.end(), [&](const Job& job) { return file.find(job.key).has_value(); });
    throw InterruptedButKept(file.path(), static_cast<std::size_t>(done), jobs.size());
  }
  return results;
}

}  // namespace taut
