#include <taut/fit/time_budget.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

TimeBudget::TimeBudget(const FitOptions& options) : seconds_(options.has_time() ? options.seconds() : infinity) {}

double TimeBudget::elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

FitOptions TimeBudget::rest_of(const FitOptions& options) const {
  FitOptions rest = options;
  if (options.has_time()) rest.time = format_text("{}", print_number(std::max(0.001, std::round(1000 * left()) / 1000)));
  return rest;
}

std::string TimeBudget::words() const { return format_text("{} of {}", clock_time(elapsed()), clock_time(seconds_)); }

std::string clock_time(double seconds) {
  const auto all = static_cast<long long>(std::clamp(seconds, 0.0, 1e9));
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const long long hours = all / 3600, minutes = all / 60 % 60;
  return (hours > 0 ? std::to_string(hours) + ":" + two(minutes) : std::to_string(minutes)) + ":" + two(all % 60);
}

ExecutionContext timed_context(const ExecutionContext& context, std::function<std::string()> details,
                               std::function<bool()> gives_up) {
  ExecutionContext own = context;
  if (context.progress)
    own.progress = [outer = context.progress, details = std::move(details)](std::string_view stage, double done) {
      outer(format_text("{}; {}", stage, details()), done);
    };
  if (gives_up)
    own.cancelled = [outer = context.cancelled, gives_up = std::move(gives_up)] { return gives_up() || (outer && outer()); };
  return own;
}

}  // namespace taut
