// What a trace adds up: work, and the least time that it takes on several threads.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace taut {

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

}  // namespace taut
