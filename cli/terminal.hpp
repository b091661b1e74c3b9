// The terminal: messages, a progress bar, and Ctrl-C.
#pragma once

#include <taut/core/execution_context.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace taut {

// Turns Ctrl-C into a flag that long computations poll, so that no output is left incomplete.
void watch_for_interrupts();
// The signal that asked us to stop, or 0.
int interrupt();

// Messages to the user, and a progress bar if standard error is a terminal.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void say(std::string_view sentence);   // "taut: ..."
  void warn(std::string_view sentence);  // "taut: warning: ..."
  void print(std::string_view text);     // the text unchanged

  // A context for long computations: shows their progress, and Ctrl-C cancels them. It must not outlive the terminal.
  ExecutionContext context(int threads = 0);

 private:
  void show(std::string_view stage, double done);
  void hide_progress_bar();
  void clear();

  bool is_terminal_;
  bool shows_output_;          // the user probably sees standard output too
  bool output_began_ = false;  // something has been written to standard output
  bool drawn_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point last_drawn_{};
  std::mutex mutex_;  // several threads may report progress
};

}  // namespace taut
