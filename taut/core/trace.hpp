// Where the time of a computation goes: by stage, by thread, and how much of it more threads could save.
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

// What a trace adds up: work, and the least time that it takes on several threads.

inline constexpr std::size_t most_trace_stages = 48;
inline constexpr std::array<int, 5> trace_thread_counts = {1, 2, 4, 8, 16};

// Of a piece of work whose parts follow one another: strands of one thread, and loops. A loop on P threads takes at least its
// work divided by P, and at least as long as its longest block, which may hold loops itself. What comes of it is the least time
// that this division of the work allows, without the cost of waking and waiting, and with memory as fast for many threads as for
// one.
struct TraceSums {
  std::array<double, most_trace_stages> work{};              // processor seconds by stage
  std::array<double, most_trace_stages> path{};              // the seconds on the most threads, by stage
  std::array<double, trace_thread_counts.size()> seconds{};  // the least, for each number of threads

  void add_strand(std::size_t stage, double time);
  void add(const TraceSums& loop);    // which comes next
  void join(const TraceSums& block);  // a block of a loop: works beside the others
  void finish_loop();                 // after the last block
};

// A bar of the picture. Times in seconds from the start of the trace.
struct TraceBar {
  std::string stage, what;
  int thread = 0;
  double begin = 0, end = 0;
  std::map<std::string, double> work{};  // processor seconds by stage, of all threads that worked for it
};

struct TraceMemory {
  double at = 0, bytes = 0;  // of the process, resident
};

struct TraceStage {
  std::string name;
  double seconds = 0;  // of processor time
  double path = 0;     // of the least time on the most threads
};

struct TraceReport {
  double wall = 0;                                         // seconds
  double work = 0;                                         // processor seconds of all threads
  double alone = 0;                                        // those outside of all loops, where no other thread can help
  std::vector<TraceStage> stages;                          // the longest first
  std::array<double, trace_thread_counts.size()> least{};  // seconds for each number of threads
  std::vector<TraceBar> bars;
  std::vector<TraceMemory> memory;

  double speed_up(std::size_t which) const { return least[which] > 0 ? work / least[which] : 1; }
  // The format of Chrome's trace viewer and of Perfetto; the summary is in its metadata.
  std::string json() const;
  std::string in_words(int threads) const;  // a table for the reader
};

// Where the time of a computation goes: by stage, by thread, and how much of it more threads could save. Off unless a Trace
// lives.

// Records the thread that makes it, and all loops that are opened below, until it goes. There is one at a time; it changes no
// result. Time of a stage is processor time, so that neither waiting nor other programs count.
class Trace {
 public:
  struct Clocks {
    double (*processor)();  // seconds of this thread
    double (*wall)();       // seconds
  };
  static Clocks own_clocks();

  explicit Trace(const Clocks& clocks = own_clocks());
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Ends the recording. To be called by the thread that made it, outside of all loops.
  TraceReport finish();

  struct Recording;

 private:
  std::unique_ptr<Recording> recording_;
};

// Where nothing is recorded a stage costs one look at this.
extern std::atomic<bool> is_traced;

struct TraceTask;

// Time from here to the end of the scope belongs to this stage, in all loops below too, except what stages inside it take. The
// name is a literal.
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

// The same, and a bar in the picture of the trace, with what it was for: "boost, fold 2". For what happens hundreds of times at
// most.
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

// For parallel_blocks: whether this thread is recorded, and a loop that counts what its blocks take.
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
