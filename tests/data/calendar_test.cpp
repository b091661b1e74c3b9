#include <taut/core/types.hpp>
#include <taut/data/kinds/date_text.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace taut {
namespace {

double part(const DateParts& parts, DatePart which) { return parts[static_cast<std::size_t>(which)]; }

// Every day of eight thousand years, against the calendar of the standard library.
TEST(Calendar, IsThatOfTheStandardLibrary) {
  using std::chrono::sys_days, std::chrono::year, std::chrono::January;
  const auto first = (sys_days(year(-4000) / January / 1)).time_since_epoch().count();
  const auto last = (sys_days(year(4001) / January / 1)).time_since_epoch().count();
  for (std::int64_t days = first; days < last; ++days) {
    const sys_days day{std::chrono::days(days)};
    const std::chrono::year_month_day date(day);
    const CalendarDay expected{int(date.year()), static_cast<int>(unsigned(date.month())),
                               static_cast<int>(unsigned(date.day()))};
    for (const std::int64_t cycle : {-1'000'000, 0, 7}) {  // each of 400 years
      const CalendarDay found = calendar_day(days + 146'097 * cycle);
      ASSERT_EQ(found.year, expected.year + 400 * cycle) << days;
      ASSERT_EQ(found.month, expected.month) << days;
      ASSERT_EQ(found.day, expected.day) << days;
    }
    const DateParts parts = date_parts(86'400.0 * static_cast<double>(days) + 5400, 0);
    ASSERT_EQ(part(parts, DatePart::weekday), std::chrono::weekday(day).iso_encoding() - 1) << days;
    ASSERT_EQ(part(parts, DatePart::day_of_year), static_cast<double>((day - sys_days(date.year() / January / 1)).count() + 1));
    ASSERT_EQ(part(parts, DatePart::hour), 1.5);
    ASSERT_EQ(part(parts, DatePart::elapsed), static_cast<double>(days) + 0.0625);
    ASSERT_EQ(part(parts, DatePart::year), static_cast<double>(int(date.year())));
    ASSERT_EQ(part(parts, DatePart::month), static_cast<double>(expected.month));
    ASSERT_EQ(part(parts, DatePart::day), static_cast<double>(expected.day));
  }
}

TEST(Calendar, PartsOfOneMomentByHand) {
  // 2024-02-29 18:45:00 UTC was a Thursday, the 60th day of its year; one and a half days after the 28th, 06:45.
  const double moment = 1'709'232'300;
  const DateParts expected = {2024, 2, 29, 3, 60, 18.75, 1.5};
  EXPECT_EQ(date_parts(moment, moment - 129'600), expected);
  const DateParts before = date_parts(-0.5, 0);  // half a second before 1970
  EXPECT_EQ(part(before, DatePart::year), 1969);
  EXPECT_EQ(part(before, DatePart::hour), 86'399.5 / 3600);
}

TEST(Calendar, TakesEveryNumber) {
  for (const double seconds : {missing, infinity, -infinity})
    for (const double value : date_parts(seconds, 0)) EXPECT_TRUE(std::isnan(value)) << seconds;
  for (const double seconds : {1e300, -1e300, 1e17, -1e17, 1e-300})
    for (const double value : date_parts(seconds, 1e15)) EXPECT_TRUE(std::isfinite(value)) << seconds;
}

}  // namespace
}  // namespace taut
