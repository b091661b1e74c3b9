// --trace: a trace of the run time of a command.
#pragma once

#include <cli/arguments.hpp>
#include <cli/terminal.hpp>

#include <functional>
#include <string>
#include <vector>

namespace taut {

class TraceOption {
 public:
  void add(Arguments& arguments);
  // Runs `work`. With --trace it then writes the trace and prints a summary. The trace must not replace a file of `others`.
  void run(Terminal& terminal, int threads, const std::vector<std::string>& others, const std::function<void()>& work) const;

 private:
  std::string output_;
};

}  // namespace taut
