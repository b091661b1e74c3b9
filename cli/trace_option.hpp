// --trace: where the time of a command goes.
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
  // Does the work; where it is traced, the trace is written afterwards and summed up in words. `others`: files that it must not
  // replace.
  void run(Terminal& terminal, int threads, const std::vector<std::string>& others, const std::function<void()>& work) const;

 private:
  std::string output_;
};

}  // namespace taut
