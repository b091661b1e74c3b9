// Where the time of a computation goes: by stage, by thread, and how much of it more threads could save. Off unless a Trace
// lives.
#pragma once

#include <taut/core/trace_sums.hpp>
#include <taut/core/types.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace taut {

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
