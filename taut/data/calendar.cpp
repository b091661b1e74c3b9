#include <taut/data/calendar.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

namespace {

// Years are counted from March here: then the leap day is the last day of its year, and what comes before a month is the same in
// every year.
constexpr std::array<int, 12> days_before_month = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337};  // March is 0
constexpr std::int64_t days_of_year = 365, days_of_4_years = 4 * days_of_year + 1, days_of_century = 25 * days_of_4_years - 1,
                       days_of_400_years = 4 * days_of_century + 1;
constexpr std::int64_t first_of_march_0 = -719'468;  // 0000-03-01, in days since 1970-01-01

constexpr double seconds_of_day = 86'400;
constexpr double most_seconds = 1e17;  // three thousand million years: whole numbers of days fit with room to spare

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

std::int64_t days_since_1970(const CalendarDay& date) {
  const std::int64_t year = date.month > 2 ? date.year : date.year - 1;
  const auto month = static_cast<std::size_t>((date.month + 9) % 12);
  const std::int64_t leap_days = floor_divide(year, 4) - floor_divide(year, 100) + floor_divide(year, 400);
  return first_of_march_0 + days_of_year * year + leap_days + days_before_month[month] + date.day - 1;
}

// Cycles of 400, 100, 4 years and 1 year, each one day longer or shorter than a number of the next. The last century of a cycle
// and the last year of four hold the leap day, so they must not overflow into one more.
CalendarDay calendar_day(std::int64_t days) {
  std::int64_t rest = days - first_of_march_0;
  std::int64_t year = 400 * floor_divide(rest, days_of_400_years);
  rest -= days_of_400_years * floor_divide(rest, days_of_400_years);
  const std::int64_t century = std::min<std::int64_t>(rest / days_of_century, 3);
  rest -= century * days_of_century;
  const std::int64_t four = rest / days_of_4_years;
  rest -= four * days_of_4_years;
  const std::int64_t one = std::min<std::int64_t>(rest / days_of_year, 3);
  rest -= one * days_of_year;
  year += 100 * century + 4 * four + one;
  const auto next = std::upper_bound(days_before_month.begin(), days_before_month.end(), static_cast<int>(rest));
  const auto march_month = static_cast<int>(next - days_before_month.begin()) - 1;
  const int day = static_cast<int>(rest) - *(next - 1) + 1;
  return march_month < 10 ? CalendarDay{year, march_month + 3, day} : CalendarDay{year + 1, march_month - 9, day};
}

DateParts date_parts(double seconds, double origin) {
  DateParts parts;
  if (!std::isfinite(seconds)) {
    parts.fill(std::numeric_limits<double>::quiet_NaN());
    return parts;
  }
  const double moment = std::clamp(seconds, -most_seconds, most_seconds);
  const double whole_days = std::floor(moment / seconds_of_day);
  const auto days = static_cast<std::int64_t>(whole_days);
  const CalendarDay date = calendar_day(days);
  const auto set = [&](DatePart part, double value) { parts[static_cast<std::size_t>(part)] = value; };
  set(DatePart::year, static_cast<double>(date.year));
  set(DatePart::month, date.month);
  set(DatePart::day, date.day);
  set(DatePart::weekday, static_cast<double>(days + 3 - 7 * floor_divide(days + 3, 7)));  // 1970-01-01 was a Thursday
  set(DatePart::day_of_year, static_cast<double>(days - days_since_1970({date.year, 1, 1}) + 1));
  set(DatePart::hour, (moment - whole_days * seconds_of_day) / 3600);
  set(DatePart::elapsed, (moment - origin) / seconds_of_day);
  return parts;
}

}  // namespace taut
