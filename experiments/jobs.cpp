#include <experiments/jobs.hpp>

#include <experiments/markdown.hpp>
#include <experiments/resume_file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

namespace taut {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string describe_time(double seconds) {
  if (seconds < 90) return print_rounded(std::ceil(seconds), 3) + " s";
  return print_rounded(std::ceil(seconds / 60), 4) + " min";
}

std::string fits(std::size_t count) { return counted(static_cast<long long>(count), "fit"); }

// Reports progress by cost, and estimates the time left. Costs are rough; the measured times of each kind of job correct them.
class Progress {
 public:
  Progress(std::string_view stage, int threads, const ExecutionContext& context)
      : stage_(stage), threads_(threads), context_(context) {}

  void expect(const Job& job) {
    all_ += job.cost;
    ++jobs_;
    kinds_[job.kind].left += job.cost;
  }
  void finished(const Job& job, double seconds) {
    const std::lock_guard lock(mutex_);
    done_ += job.cost;
    ++finished_;
    Kind& kind = kinds_[job.kind];
    kind.left -= job.cost;
    kind.done += job.cost;
    kind.seconds += seconds;
    ++kind.finished;
    const double left = seconds_left();
    announce(kind, seconds, left);
    context_.report(stage_ + ", " + describe_time(left) + " left", all_ > 0 ? done_ / all_ : 1);
  }

 private:
  struct Kind {
    double left = 0, done = 0, seconds = 0;  // costs of jobs left and done, and the seconds of those that are done
    std::size_t finished = 0;
  };

  // An estimate that assumes all threads are busy until the end.
  double seconds_left() const {
    double done = 0, seconds = 0, left = 0;
    for (const auto& [name, kind] : kinds_) {
      done += kind.done;
      seconds += kind.seconds;
    }
    for (const auto& [name, kind] : kinds_) {
      const bool is_timed = kind.done > 0;
      const double seconds_per_cost = is_timed ? kind.seconds / kind.done : done > 0 ? seconds / done : 0;
      left += std::max(0.0, kind.left) * seconds_per_cost;
    }
    const double workers = std::min(static_cast<double>(threads_), std::max(1.0, static_cast<double>(jobs_ - finished_)));
    return left / workers;
  }

  // Reports the time left twice: after the first job, and when every kind has been timed.
  void announce(const Kind& kind, double seconds, double left) {
    if (finished_ == jobs_) return;
    if (finished_ == 1)
      context_.tell(format_text("the first of {} took {} s; the rest will take about {}", fits(jobs_), print_rounded(seconds, 2),
                                describe_time(left)));
    if (kind.finished != 1 || ++timed_ < kinds_.size() || kinds_.size() == 1) return;
    context_.tell(format_text("{} done, each method timed: about {} left", fits(finished_), describe_time(left)));
  }

  double all_ = 0, done_ = 0;
  std::size_t jobs_ = 0, finished_ = 0, timed_ = 0;
  std::map<std::string, Kind> kinds_;
  std::string stage_;
  int threads_;
  const ExecutionContext& context_;
  std::mutex mutex_;
};

// An interrupt whose message says where finished work is kept.
class InterruptedButKept final : public Interrupted {
 public:
  explicit InterruptedButKept(const std::string& kept) : text_("interrupted: " + kept) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// The longest jobs first, so that threads finish at about the same time; but one job of each kind before all others.
void sort_for_work(std::vector<std::size_t>& todo, const std::vector<Job>& jobs) {
  std::stable_sort(todo.begin(), todo.end(), [&](std::size_t a, std::size_t b) { return jobs[a].cost > jobs[b].cost; });
  std::set<std::string> seen;
  std::stable_partition(todo.begin(), todo.end(), [&](std::size_t i) { return seen.insert(jobs[i].kind).second; });
}

std::string describe_kept(const ResumeFile& file, const std::vector<Job>& jobs) {
  const auto done = std::count_if(jobs.begin(), jobs.end(), [&](const Job& job) { return file.find(job.key).has_value(); });
  return format_text("{} holds {} of {}; the same command goes on from there", file.path(), print_count(done), fits(jobs.size()));
}

}  // namespace

std::vector<NamedValues> run_jobs(std::vector<Job> jobs, const std::string& resume, std::string_view stage,
                                  const ExecutionContext& context) {
  ResumeFile file(resume);
  std::vector<NamedValues> results(jobs.size());
  const int threads = resolve_threads(context.threads);
  Progress progress(stage, threads, context);

  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (const auto known = file.find(jobs[i].key)) {
      results[i] = *known;
    } else {
      progress.expect(jobs[i]);
      todo.push_back(i);
    }
  }
  if (todo.size() < jobs.size())
    context.tell(format_text("{}: {} of {} are done already", file.path(), print_count(std::ssize(jobs) - std::ssize(todo)),
                             fits(jobs.size())));
  sort_for_work(todo, jobs);

  ExecutionContext job_context;
  job_context.threads = threads;  // the loops of a job use threads that have no job
  job_context.cancelled = context.cancelled;
  try {
    context.report(stage, 0);
    parallel_blocks(std::ssize(todo), 1, threads, [&](Index which, Index) {
      const std::size_t i = todo[static_cast<std::size_t>(which)];
      job_context.report(stage, 0);
      const auto start = Clock::now();
      results[i] = jobs[i].work(job_context);
      results[i].emplace_back("seconds", seconds_since(start));
      jobs[i].work = nullptr;  // frees data that only this job needed
      file.add(jobs[i].key, results[i]);
      progress.finished(jobs[i], value_named(results[i], "seconds"));
    });
  } catch (const Interrupted&) {
    if (file.size() == 0) throw;
    throw InterruptedButKept(describe_kept(file, jobs));
  } catch (const Error&) {
    if (file.size() > 0) context.tell(describe_kept(file, jobs));
    throw;
  }
  return results;
}

}  // namespace taut
