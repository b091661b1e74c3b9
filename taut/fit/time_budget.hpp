// The time that a fit may take.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/options/options.hpp>

#include <chrono>
#include <string>

namespace taut {

// More repeats are not chosen by --time: each makes the model larger and predictions slower, and gains ever less.
inline constexpr Index max_timed_repeats = 16;

// The budget of --time, from its construction on. Without --time there is no limit.
class TimeBudget {
 public:
  explicit TimeBudget(const FitOptions& options);

  double elapsed() const;
  double left() const { return seconds_ - elapsed(); }  // negative after the end
  // The same options for a step that begins now: --time is what is left, at least a millisecond.
  FitOptions rest_of(const FitOptions& options) const;
  // "0:42 of 10:00".
  std::string words() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
};

// "1:05" or "2:00:05".
std::string clock_time(double seconds);

// The same context; progress also shows what details() returns, and cancelled() is true too if gives_up() is.
ExecutionContext timed_context(const ExecutionContext& context, std::function<std::string()> details,
                               std::function<bool()> gives_up = {});

}  // namespace taut
