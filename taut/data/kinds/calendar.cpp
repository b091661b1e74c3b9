// The Gregorian calendar.
#include <taut/core/text.hpp>
#include <taut/data/kinds/date_text.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace taut {

namespace {

using std::chrono::sys_days, std::chrono::year_month_day, std::chrono::weekday, std::chrono::January;

constexpr double seconds_of_day = 86'400;
constexpr double max_seconds = 1e17;  // about three billion years: the number of days fits easily into 64 bits

// std::chrono only supports about 65,000 years. The calendar, weekdays included, repeats every 400 years.
constexpr std::int64_t days_of_400_years = 146'097;

std::int64_t cycles_before(std::int64_t days) { return days / days_of_400_years - (days % days_of_400_years < 0 ? 1 : 0); }

sys_days day_of_cycle(std::int64_t days) { return sys_days(std::chrono::days(days - days_of_400_years * cycles_before(days))); }

}  // namespace

CalendarDay calendar_day(std::int64_t days) {
  const year_month_day date(day_of_cycle(days));
  return {int(date.year()) + 400 * cycles_before(days), static_cast<int>(unsigned(date.month())),
          static_cast<int>(unsigned(date.day()))};
}

DateParts date_parts(double seconds, double origin) {
  DateParts parts;
  if (!std::isfinite(seconds)) {
    parts.fill(std::numeric_limits<double>::quiet_NaN());
    return parts;
  }
  const double moment = std::clamp(seconds, -max_seconds, max_seconds);
  const double whole_days = std::floor(moment / seconds_of_day);
  const auto days = static_cast<std::int64_t>(whole_days);
  const CalendarDay date = calendar_day(days);
  const sys_days day = day_of_cycle(days);
  const auto set = [&](DatePart part, double value) { parts[static_cast<std::size_t>(part)] = value; };
  set(DatePart::year, static_cast<double>(date.year));
  set(DatePart::month, date.month);
  set(DatePart::day, date.day);
  set(DatePart::weekday, weekday(day).iso_encoding() - 1);
  set(DatePart::day_of_year, static_cast<double>((day - sys_days(year_month_day(day).year() / January / 1)).count() + 1));
  set(DatePart::hour, (moment - whole_days * seconds_of_day) / 3600);
  set(DatePart::elapsed, (moment - origin) / seconds_of_day);
  return parts;
}

std::string print_date(double seconds) {
  if (!std::isfinite(seconds) || std::abs(seconds) > 1e14) return print_number(seconds);
  const double day = std::floor(seconds / seconds_of_day);
  const auto [year, month, of_month] = calendar_day(static_cast<std::int64_t>(day));
  const auto two = [](std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  std::string shown = std::to_string(year) + "-" + two(month) + "-" + two(of_month);
  const auto rest = static_cast<std::int64_t>(seconds - day * seconds_of_day);
  if (rest == 0) return shown;
  shown += " " + two(rest / 3600) + ":" + two(rest / 60 % 60);
  return rest % 60 == 0 ? shown : shown + ":" + two(rest % 60);
}

}  // namespace taut
