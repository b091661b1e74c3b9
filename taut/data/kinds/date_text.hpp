// Dates and times: the calendar, and the texts that people and programs write.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/column.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

// The Gregorian calendar, extended to all times, in UTC and without leap seconds.

struct CalendarDay {
  std::int64_t year;  // the year before 1 is 0
  int month;          // 1 ... 12
  int day;            // 1 ... 31
};

// The date that is `days` days after 1970-01-01, for years up to 10^12.
CalendarDay calendar_day(std::int64_t days);

// The parts of a date that become inputs of a model. `elapsed` counts days from another moment.
enum class DatePart { year, month, day, weekday, day_of_year, hour, elapsed };
constexpr std::size_t date_part_count = 7;
using DateParts = std::array<double, date_part_count>;

// The parts of a moment in seconds since 1970-01-01. Month, day and day of the year count from 1; Monday is weekday 0. The hour
// includes minutes and seconds as a fraction. `elapsed` counts days since `origin`. All are NaN if the moment is not finite.
DateParts date_parts(double seconds, double origin);

// Dates and times as people and programs write them.
//
//   2014-05-02, 2014/5/2, 2014-05-02T13:00:00Z, 20140502T000000, 2014-05-02 13:00:00.5+02:00, 2014-05
//   2.5.2014, 05/02/2014, 2-May-2014, May 2, 2014, Fri, 02 May 2014 13:00:00 GMT, 02/05/14 1:00 PM
//   13:05 and 13:05:07: a time of day
//
// A moment with an offset from UTC is converted to UTC; one without an offset is taken as UTC.

// How texts are read as dates.
struct DateRules {
  DateRules(DateOrder of_numbers = DateOrder::year_first) : order(of_numbers) {}
  explicit DateRules(const Column& column)
      : order(column.format.date_order),
        last_short_year(column.format.last_short_year),
        has_periods(column.reading == ReadingRules::current) {}

  DateOrder order;  // decides what 03/04/2025 means; with DateOrder::year_first it is not a date
  int last_short_year = TextFormat::posix_short_year;
  bool has_periods = true;  // reads 1998 Q1 and the like, see read_period
};

// The last year of two digits that is in this century, in a column in which the usual rule (68) gives years of the future: the
// year of this version. A constant, because a fit must not depend on the date on which it runs.
inline constexpr int short_year_of_version = 26;

// Seconds since 1970-01-01, or nothing.
std::optional<double> read_date(std::string_view text, const DateRules& rules);

// The start of a quarter (1998 Q1, 2018Q2, Q1-1998), a week by ISO 8601 (1989 W28, 1989-W28) or a month (1994 Jan, 1994M01,
// Oct-75), in seconds since 1970-01-01, or nothing.
std::optional<double> read_period(std::string_view text, const DateRules& rules);

// Like read_date, for columns that hold dates: also reads 20140502, 2014, and seconds or milliseconds since 1970-01-01 with at
// least nine digits.
std::optional<double> read_declared_date(std::string_view text, const DateRules& rules);

// "2014-05-02", with the time of day where it is not midnight.
std::string print_date(double seconds);

}  // namespace taut
