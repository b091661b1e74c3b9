// The Gregorian calendar, extended to all times, in UTC and without leap seconds.
#pragma once

#include <taut/core/types.hpp>

#include <array>
#include <cstdint>

namespace taut {

struct CalendarDay {
  std::int64_t year;  // the year before 1 is 0
  int month;          // 1 ... 12
  int day;            // 1 ... 31
};

// Of a number of days since 1970-01-01, for years up to a million times a million.
CalendarDay calendar_day(std::int64_t days);

// What a moment says to a model. `elapsed` counts days from another moment.
enum class DatePart { year, month, day, weekday, day_of_year, hour, elapsed };
constexpr std::size_t date_part_count = 7;
using DateParts = std::array<double, date_part_count>;

// Of a moment in seconds since 1970-01-01: the month, day and day of the year counted from 1, the day of the week from 0 for
// Monday, the hour with minutes and seconds as a fraction. All are NaN where the moment is not finite.
DateParts date_parts(double seconds, double origin);

}  // namespace taut
