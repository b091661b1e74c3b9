#include <taut/core/trace.hpp>

#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <numeric>
#include <utility>

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

std::atomic<bool> is_traced{false};

namespace {

constexpr const char* unnamed_stage = "other";
constexpr double min_bar = 1e-4;    // seconds: shorter bars of helping threads are left out
constexpr double max_pause = 1e-3;  // seconds: blocks of a helping thread with a shorter pause between them are one bar

double wall_clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double processor_clock() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
  return wall_clock();
}

}  // namespace

// A thread that runs blocks for loops of other threads. Blocks that follow one another become one bar.
struct HelpingThread {
  int number = 0;
  std::string what{};
  double begin = 0, end = -1;
};

struct Trace::Recording {
  Clocks clocks;
  double start = 0;
  std::mutex mutex;  // guards the members below
  std::vector<const char*> stages{unnamed_stage};
  std::vector<TraceBar> bars;
  std::vector<TraceMemory> memory;
  std::vector<std::unique_ptr<HelpingThread>> threads;

  std::size_t stage(const char* name) {
    const std::lock_guard lock(mutex);
    for (std::size_t s = 0; s < stages.size(); ++s)
      if (stages[s] == name || std::strcmp(stages[s], name) == 0) return s;
    if (stages.size() == max_trace_stages) return 0;
    stages.push_back(name);
    return stages.size() - 1;
  }
  HelpingThread& thread() {
    const std::lock_guard lock(mutex);
    threads.push_back(std::make_unique<HelpingThread>());
    threads.back()->number = static_cast<int>(threads.size()) - 1;
    return *threads.back();
  }
  double now() const { return clocks.wall() - start; }
  void note_memory() { memory.push_back({now(), static_cast<double>(resident_bytes())}); }
  void add_bar(const HelpingThread& helper) {
    if (helper.end - helper.begin >= min_bar) bars.push_back({"helping", helper.what, helper.number, helper.begin, helper.end});
  }
};

// A sequence of work on one thread: the whole trace, or a block of a loop. A thread that waits for a loop may run blocks of other
// loops meanwhile, and returns to its own task afterwards.
struct TraceTask {
  std::size_t stage = 0;
  const std::string* what = nullptr;  // description of the innermost bar
  double since = 0;
  TraceSums sums{};
  double alone = 0;  // time outside of loops; used only of the first task

  // Adds the time since the last call to the current stage.
  void charge(double now) {
    sums.add_strand(stage, now - since);
    alone += now - since;
    since = now;
  }
};

namespace {

std::atomic<Trace::Recording*> recording{nullptr};
std::atomic<std::uint64_t> traces_made{0};
thread_local TraceTask* current_task = nullptr;
thread_local HelpingThread* this_thread = nullptr;
thread_local std::uint64_t thread_of_trace = 0;  // the trace that this_thread belongs to

HelpingThread& thread_of(Trace::Recording& own) {
  if (std::exchange(thread_of_trace, traces_made.load()) != traces_made.load() || this_thread == nullptr)
    this_thread = &own.thread();
  return *this_thread;
}

}  // namespace

Trace::Clocks Trace::own_clocks() { return {processor_clock, wall_clock}; }

Trace::Trace(const Clocks& clocks) : recording_(std::make_unique<Recording>()) {
  recording_->clocks = clocks;
  recording_->start = clocks.wall();
  Recording* none = nullptr;
  if (!recording.compare_exchange_strong(none, recording_.get()))
    throw Error("a trace is being recorded already: end that one first");
  ++traces_made;
  thread_of(*recording_);
  current_task = new TraceTask;
  current_task->since = clocks.processor();
  is_traced = true;
}

Trace::~Trace() {
  if (recording.load() != recording_.get()) return;
  is_traced = false;
  delete std::exchange(current_task, nullptr);
  recording = nullptr;
}

TraceReport Trace::finish() {
  current_task->charge(recording_->clocks.processor());
  TraceReport report;
  report.wall = recording_->now();
  const TraceSums& sums = current_task->sums;
  report.work = std::accumulate(sums.work.begin(), sums.work.end(), 0.0);
  report.alone = current_task->alone;
  report.minimum = sums.seconds;
  const std::lock_guard lock(recording_->mutex);
  for (std::size_t s = 0; s < recording_->stages.size(); ++s)
    if (sums.work[s] > 0) report.stages.push_back({recording_->stages[s], sums.work[s], sums.path[s]});
  std::stable_sort(report.stages.begin(), report.stages.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  for (const auto& helper : recording_->threads) recording_->add_bar(*helper);
  report.bars = std::move(recording_->bars);
  report.memory = std::move(recording_->memory);
  is_traced = false;
  delete std::exchange(current_task, nullptr);
  recording = nullptr;
  return report;
}

void TracedPart::begin(const char* stage) {
  if (current_task == nullptr) return;
  task_ = current_task;
  Trace::Recording& own = *recording.load();
  const std::size_t entered = own.stage(stage);
  task_->charge(own.clocks.processor());
  before_ = std::exchange(task_->stage, entered);
}

void TracedPart::end() {
  task_->charge(recording.load()->clocks.processor());
  task_->stage = before_;
}

struct Traced::Bar {
  TraceTask* task;
  std::size_t stage_before;
  const std::string* what_before;
  std::string what;
  const char* stage;
  double begin;
  std::array<double, max_trace_stages> work_before;
};

void Traced::Ender::operator()(Bar* bar) const { delete bar; }

void Traced::begin(const char* stage, const std::function<std::string()>& what) {
  if (current_task == nullptr) return;
  Trace::Recording& own = *recording.load();
  const std::size_t entered = own.stage(stage);
  TraceTask& task = *current_task;
  task.charge(own.clocks.processor());
  bar_.reset(new Bar{&task, task.stage, task.what, what ? what() : "", stage, own.now(), task.sums.work});
  task.stage = entered;
  task.what = bar_->what.empty() ? task.what : &bar_->what;
  const std::lock_guard lock(own.mutex);
  own.note_memory();
}

void Traced::end() {
  Trace::Recording& own = *recording.load();
  TraceTask& task = *bar_->task;
  task.charge(own.clocks.processor());
  task.stage = bar_->stage_before;
  task.what = bar_->what_before;
  const int thread = thread_of(own).number;
  const std::lock_guard lock(own.mutex);
  TraceBar bar{bar_->stage, std::move(bar_->what), thread, bar_->begin, own.now()};
  for (std::size_t s = 0; s < own.stages.size(); ++s)
    if (const double spent = task.sums.work[s] - bar_->work_before[s]; spent > 0) bar.work[own.stages[s]] = spent;
  own.bars.push_back(std::move(bar));
  own.note_memory();
}

bool is_traced_here() { return is_traced.load(std::memory_order_relaxed) && current_task != nullptr; }

struct TracedLoop::Parts {
  Trace::Recording& own;
  TraceTask& task;
  std::mutex mutex{};
  TraceSums sums{};
};

TracedLoop::TracedLoop() {
  Trace::Recording& own = *recording.load();
  current_task->charge(own.clocks.processor());
  parts_.reset(new Parts{own, *current_task});
}

TracedLoop::~TracedLoop() {
  parts_->sums.finish_loop();
  parts_->task.sums.add(parts_->sums);
  parts_->task.since = parts_->own.clocks.processor();
}

void TracedLoop::run_block(const std::function<void(Index, Index)>& work, Index begin, Index end) {
  struct Block {
    Parts& loop;
    TraceTask task;
    TraceTask* before;
    HelpingThread* helper = nullptr;

    explicit Block(Parts& parts)
        : loop(parts),
          task{parts.task.stage, parts.task.what, parts.own.clocks.processor()},
          before(std::exchange(current_task, &task)) {
      if (before != nullptr) return;
      helper = &thread_of(loop.own);
      const double now = loop.own.now();
      static const std::string nothing;
      const std::string& what = task.what != nullptr ? *task.what : nothing;
      if (helper->what == what && now - helper->end <= max_pause) return;
      const std::lock_guard lock(loop.own.mutex);
      loop.own.add_bar(*helper);
      helper->what = what;
      helper->begin = now;
    }
    ~Block() {
      task.charge(loop.own.clocks.processor());
      current_task = before;
      if (helper != nullptr) helper->end = loop.own.now();
      const std::lock_guard lock(loop.mutex);
      loop.sums.join(task.sums);
    }
  };
  const Block block(*parts_);
  work(begin, end);
}

}  // namespace taut
