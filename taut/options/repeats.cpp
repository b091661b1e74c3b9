// --repeats and --time: how often f is trained.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/options/options.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace taut {

namespace {

constexpr double max_seconds = 1e9;  // 30 years
constexpr std::array<std::pair<std::string_view, double>, 5> units = {{{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};

}  // namespace

double FitOptions::seconds() const {
  const std::string_view text = trim(time);
  const std::size_t end = text.find_last_of("0123456789.") + 1;  // 0 if there is no digit
  const std::string_view unit = trim(text.substr(end));
  const auto number = parse_number(std::string(trim(text.substr(0, end))));
  for (const auto& [name, factor] : units)
    if (unit == name && number && *number > 0 && *number * factor <= max_seconds) return *number * factor;
  throw UsageError(
      format_text("--time '{}' is no time: a positive number with s, m or h after it, for example 90s, 10m, 0.5h; a plain "
                  "number is in seconds",
                  time));
}

void FitOptions::check_repeats() const {
  if (repeats < 1 || repeats > max_repeats)
    throw UsageError(format_text("--repeats is a number from 1 to {}, got {}", print_count(max_repeats), repeats));
  if (has_time()) {
    (void)seconds();
    if (repeats > 1)
      throw UsageError("--time and --repeats exclude each other: --time chooses the number of repeats; give one of them");
    if (holds_out())
      throw UsageError(format_text("--time is not for --split {}: it fits many models; give --repeats instead", split));
  } else if (repeats == 1) {
    return;
  }
  const std::string option = has_time() ? "--time" : "--repeats";
  if (has_f())
    throw UsageError(
        format_text("{} is about predictors that Taut trains, and predictions of a model of your own are given; "
                    "leave it out",
                    option));
  if (is_in_order())
    throw UsageError(
        format_text("{} and {} exclude each other: other partitions into folds would separate rows that are "
                    "neighbours in time; leave {} out",
                    option, in_order ? "--in-order" : "--order-by", option));
}

}  // namespace taut
