// The terminal: progress, notes, and a user who interrupts.
#pragma once

#include <taut/core/execution_context.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace taut {

// Ctrl-C as a flag that long work polls, so that nothing is left half done.

void watch_for_interrupts();
// The signal that asked us to stop, or 0.
int interrupt();

// What the user sees while the program works: sentences, and a progress bar where standard error is a terminal.

class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void say(std::string_view sentence);   // "taut: ..."
  void warn(std::string_view sentence);  // "taut: warning: ..."
  void print(std::string_view text);     // as it is

  // For long computations: progress is shown here, Ctrl-C stops them. It must not outlive the terminal.
  ExecutionContext context(int threads = 0);

 private:
  void show(std::string_view stage, double done);
  void make_way();
  void clear();

  bool is_terminal_;
  bool shows_output_;          // standard output is a terminal too
  bool output_began_ = false;  // and something has been written to it
  bool drawn_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point last_drawn_{};
  std::mutex mutex_;  // work on several threads may report
};

}  // namespace taut
