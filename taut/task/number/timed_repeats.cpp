#include <taut/task/number/timed_repeats.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double reserve = 1.15;  // measured times may be exceeded by this factor
// Of the time so far, for what follows g: scores of the calibration rows, and writing the file.
constexpr double share_of_rest = 0.03;

}  // namespace

WantsRepeat TimedRepeats::wants() {
  return {[this](const Repeats& repeats, const std::function<RowPredictions()>& out_of_sample) {
            return wants_another(repeats, out_of_sample);
          },
          [this] { return budget_.left() < seconds_after_f(); }};
}

double TimedRepeats::seconds_after_f() const { return reserve * seconds_of_g_ + share_of_rest * budget_.elapsed(); }

bool TimedRepeats::wants_another(const Repeats& repeats, const std::function<RowPredictions()>& out_of_sample) {
  if (repeats.done() == 1) {
    const double before = budget_.elapsed();
    g_ = fit_g_(out_of_sample());
    seconds_of_g_ = budget_.elapsed() - before;
  }
  if (repeats.done() >= max_timed_repeats) return false;
  const double for_f = budget_.left() - seconds_after_f(), of_one = std::max(reserve * repeats.seconds(), 1e-3);
  const auto more = static_cast<Index>(std::clamp(for_f / of_one, 0.0, static_cast<double>(max_timed_repeats)));
  expected_repeats_ = std::min(max_timed_repeats, repeats.done() + more);
  const auto added = static_cast<double>(expected_repeats_ - repeats.done());
  expected_end_ = budget_.elapsed() + added * repeats.seconds() + (added > 0 ? seconds_of_g_ : 0);
  return more > 0;
}

std::string TimedRepeats::describe() const {
  if (expected_repeats_ == 0) return budget_.words();
  return format_text("about {} repeats; {}, about {} left", print_count(expected_repeats_), budget_.words(),
                     clock_time(expected_end_ - budget_.elapsed()));
}

}  // namespace taut
