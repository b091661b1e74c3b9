// Prints the time of one piece of work as a line of JSON, for a script that compares it with another program.
#pragma once

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

namespace taut {

class Stopwatch {
 public:
  // Prints wall-clock and processor seconds; other load on the machine hardly changes the latter. `more` holds further members of
  // the JSON object, and begins with a comma.
  void print(const std::string& more = "") const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double processor = static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC;
    std::printf("{\"seconds\": %.6f, \"processor\": %.6f%s}\n", seconds, processor, more.c_str());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t processor_ = std::clock();
};

}  // namespace taut
