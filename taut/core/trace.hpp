// A trace of where the time of a computation goes, by stage and by thread, and of how much of it more threads could save.
// Nothing is recorded unless a Trace exists.
#pragma once

#include <taut/core/types.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace taut {

inline constexpr std::size_t max_trace_stages = 48;
inline constexpr std::array<int, 5> trace_thread_counts = {1, 2, 4, 8, 16};

// The work of a sequence of strands (serial sections of one thread) and loops, and the minimum time that it takes on several
// threads. A loop on P threads takes at least its work divided by P, and at least as long as its longest block, which may contain
// loops itself. The result is a lower bound for this division of the work: it assumes that waking and waiting cost nothing, and
// that memory is as fast for many threads as for one.
struct TraceSums {
  std::array<double, max_trace_stages> work{};               // processor seconds by stage
  std::array<double, max_trace_stages> path{};               // minimum seconds on the maximum number of threads, by stage
  std::array<double, trace_thread_counts.size()> seconds{};  // minimum seconds for each number of threads

  void add_strand(std::size_t stage, double time);
  void add(const TraceSums& loop);    // appends a finished loop
  void join(const TraceSums& block);  // adds a block of a loop, which runs in parallel with its other blocks
  void finish_loop();                 // to be called after the last block
};

// A bar of the timeline. Times are in seconds from the start of the trace.
struct TraceBar {
  std::string stage, what;
  int thread = 0;
  double begin = 0, end = 0;
  std::map<std::string, double> work{};  // processor seconds by stage, of all threads that worked for it
};

struct TraceMemory {
  double at = 0, bytes = 0;  // seconds from the start; resident memory of the process
};

struct TraceStage {
  std::string name;
  double seconds = 0;  // processor time
  double path = 0;     // its part of the minimum time on the maximum number of threads
};

struct TraceReport {
  double wall = 0;                                           // seconds
  double work = 0;                                           // processor seconds of all threads
  double alone = 0;                                          // processor seconds outside of all loops, which no thread can share
  std::vector<TraceStage> stages;                            // the longest first
  std::array<double, trace_thread_counts.size()> minimum{};  // minimum seconds for each number of threads
  std::vector<TraceBar> bars;
  std::vector<TraceMemory> memory;

  double speed_up(std::size_t which) const { return minimum[which] > 0 ? work / minimum[which] : 1; }
  // The format of Chrome's trace viewer and of Perfetto; the summary is in its metadata.
  std::string json() const;
  std::string describe(int threads) const;  // a table for the terminal
};

// Records the thread that constructs it, and all loops that this thread opens, until finish() or its destruction. Only one may
// exist at a time; the constructor throws Error otherwise. It changes no result. The time of a stage is processor time, so that
// neither waiting nor other programs count.
class Trace {
 public:
  struct Clocks {
    double (*processor)();  // processor seconds of this thread
    double (*wall)();       // seconds
  };
  static Clocks own_clocks();

  explicit Trace(const Clocks& clocks = own_clocks());
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Ends the recording. To be called by the thread that constructed the trace, outside of all loops.
  TraceReport finish();

  struct Recording;

 private:
  std::unique_ptr<Recording> recording_;
};

// Without a trace, a stage costs only the check of this flag.
extern std::atomic<bool> is_traced;

struct TraceTask;

// Assigns the time until the end of the scope to this stage, including loops inside it, except the time of nested stages. The
// name must be a string literal.
class TracedPart {
 public:
  explicit TracedPart(const char* stage) {
    if (is_traced.load(std::memory_order_relaxed)) begin(stage);
  }
  ~TracedPart() {
    if (task_ != nullptr) end();
  }
  TracedPart(const TracedPart&) = delete;
  TracedPart& operator=(const TracedPart&) = delete;

 private:
  void begin(const char* stage);
  void end();

  TraceTask* task_ = nullptr;
  std::size_t before_ = 0;
};

// The same, and a bar in the timeline with a description such as "boost, fold 2". For stages that occur at most hundreds of
// times.
class Traced {
 public:
  explicit Traced(const char* stage, const std::function<std::string()>& what = {}) {
    if (is_traced.load(std::memory_order_relaxed)) begin(stage, what);
  }
  ~Traced() {
    if (bar_) end();
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

 private:
  struct Bar;
  struct Ender {
    void operator()(Bar* bar) const;
  };
  void begin(const char* stage, const std::function<std::string()>& what);
  void end();

  std::unique_ptr<Bar, Ender> bar_;
};

// For parallel_blocks: whether this thread is recorded, and a loop that records the time of its blocks.
bool is_traced_here();
class TracedLoop {
 public:
  TracedLoop();
  ~TracedLoop();
  TracedLoop(const TracedLoop&) = delete;
  TracedLoop& operator=(const TracedLoop&) = delete;
  void run_block(const std::function<void(Index, Index)>& work, Index begin, Index end);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace taut
