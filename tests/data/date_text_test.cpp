#include <taut/data/kinds/date_text.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace taut {
namespace {

double at(int year, unsigned month, unsigned day, double seconds = 0) {
  using namespace std::chrono;
  const sys_days days = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  return 86400.0 * static_cast<double>(days.time_since_epoch().count()) + seconds;
}

struct Written {
  const char* text;
  double seconds;
};

TEST(DateText, FormsThatLeaveNoChoice) {
  const std::array forms = {Written{"2014-05-02", at(2014, 5, 2)},
                            Written{" 2014/5/2 ", at(2014, 5, 2)},
                            Written{"2014.05.02", at(2014, 5, 2)},
                            Written{"2014-05", at(2014, 5, 1)},
                            Written{"20140502T130507", at(2014, 5, 2, 47107)},
                            Written{"2014-05-02T13:05", at(2014, 5, 2, 47100)},
                            Written{"2014-05-02 13:05:07.25", at(2014, 5, 2, 47107.25)},
                            Written{"2014-05-02T13:05:07Z", at(2014, 5, 2, 47107)},
                            Written{"2014-05-02T13:05:07 UTC", at(2014, 5, 2, 47107)},
                            Written{"2014-05-02T01:00:00+02:00", at(2014, 5, 1, 82800)},
                            Written{"2014-05-02T01:00:00-0530", at(2014, 5, 2, 23400)},
                            Written{"2014-05-02T24:00", at(2014, 5, 3)},
                            Written{"2-May-2014", at(2014, 5, 2)},
                            Written{"02 May 14", at(2014, 5, 2)},
                            Written{"2. May 2014", at(2014, 5, 2)},
                            Written{"May 2, 2014", at(2014, 5, 2)},
                            Written{"Sept. 2, 2014 12:30 am", at(2014, 9, 2, 1800)},
                            Written{"september 2014", at(2014, 9, 1)},
                            Written{"Fri, 02 May 2014 13:00:00 GMT", at(2014, 5, 2, 46800)},
                            Written{"Friday May 2, 2014", at(2014, 5, 2)},
                            Written{"13:05", 47100},
                            Written{"1:05:07 PM", 47107},
                            Written{"2000-02-29", at(2000, 2, 29)}};
  for (const Written& form : forms)
    for (const DateOrder order : {DateOrder::year_first, DateOrder::day_first, DateOrder::month_first})
      EXPECT_EQ(read_date(form.text, order), form.seconds) << form.text;
}

TEST(DateText, TheOrderDecides) {
  EXPECT_EQ(read_date("03/04/2025", DateOrder::day_first), at(2025, 4, 3));
  EXPECT_EQ(read_date("03/04/2025", DateOrder::month_first), at(2025, 3, 4));
  EXPECT_EQ(read_date("13.04.99", DateOrder::day_first), at(1999, 4, 13));
  EXPECT_EQ(read_date("13/04/2025", DateOrder::month_first), std::nullopt);
  EXPECT_EQ(read_date("03/04/2025", DateOrder::year_first), std::nullopt);  // the order of day and month is not known
  EXPECT_EQ(read_date("13/04/2025", DateOrder::year_first), at(2025, 4, 13));
  EXPECT_EQ(read_date("04/13/2025", DateOrder::year_first), at(2025, 4, 13));
  EXPECT_EQ(read_date("04/04/2025", DateOrder::year_first), at(2025, 4, 4));
  EXPECT_EQ(read_date("5/2/14 1:00 PM", DateOrder::month_first), at(2014, 5, 2, 46800));
}

TEST(DateText, WhatIsNone) {
  for (const char* text : {"", "2014", "20140502", "2014-02-30", "1900-02-29", "2014-13-01", "32.01.2014", "May",
                           "Mayday 2, 2014", "12.5", "1-2-3-4", "2014-05-02x", "2014-05-02T25:00", "2014-05-02 13:60", "25:00",
                           "13:5", "2014-05-02T13:00:00+99:00", "0/0/2000", "a/b/c"})
    EXPECT_EQ(read_date(text, DateOrder::day_first), std::nullopt) << text;
}

TEST(DateText, PeriodsAreTheirFirstDay) {
  const std::array forms = {Written{"1998 Q1", at(1998, 1, 1)},
                            Written{"2018Q2", at(2018, 4, 1)},
                            Written{"1998-Q3", at(1998, 7, 1)},
                            Written{"1998 - q4", at(1998, 10, 1)},
                            Written{"Q4 1998", at(1998, 10, 1)},
                            Written{"Q4-98", at(1998, 10, 1)},
                            Written{"1989 W28", at(1989, 7, 10)},
                            Written{"1989-W28", at(1989, 7, 10)},
                            Written{"1989W01", at(1989, 1, 2)},
                            Written{"1989-W28-3", at(1989, 7, 12)},
                            Written{"2020-W53", at(2020, 12, 28)},
                            Written{"2015-W01", at(2014, 12, 29)},
                            Written{"1994 Jan", at(1994, 1, 1)},
                            Written{"Jan 1994", at(1994, 1, 1)},
                            Written{"1994-Dec", at(1994, 12, 1)},
                            Written{"Oct-75", at(1975, 10, 1)},
                            Written{"Oct '75", at(1975, 10, 1)},
                            Written{"sept/1975", at(1975, 9, 1)},
                            Written{"1994M01", at(1994, 1, 1)},
                            Written{"\xC2\xA0"
                                    "1994 M12 ",
                                    at(1994, 12, 1)}};
  DateRules former;
  former.has_periods = false;
  for (const Written& form : forms) {
    EXPECT_EQ(read_date(form.text, DateOrder::year_first), form.seconds) << form.text;
    if (std::string_view(form.text) == "Jan 1994") continue;
    EXPECT_EQ(read_date(form.text, former), std::nullopt) << form.text;
  }
  for (const char* text :
       {"1998 Q5", "1998 Q0", "1998 Q", "Q1", "1989 W54", "1989-W53", "1989 W0", "1989-W28-8", "1994 M13", "Oct 75", "May 12",
        "1994 Janu ary", "Oct-7", "Oct-075", "98 Q1", "1998 R1", "1998 Q12", "W28 1989", "1998 Q1 x"})
    EXPECT_EQ(read_date(text, DateOrder::day_first), std::nullopt) << text;
}

TEST(DateText, ShortYears) {
  DateRules usual(DateOrder::day_first), past(DateOrder::day_first);
  past.last_short_year = 26;
  EXPECT_EQ(read_date("13.4.68", usual), at(2068, 4, 13));
  EXPECT_EQ(read_date("13.4.69", usual), at(1969, 4, 13));
  EXPECT_EQ(read_date("13.4.27", past), at(1927, 4, 13));
  EXPECT_EQ(read_date("13.4.26", past), at(2026, 4, 13));
  EXPECT_EQ(read_date("Oct-45", past), at(1945, 10, 1));
  EXPECT_EQ(read_date("2 May 45", past), at(1945, 5, 2));
  EXPECT_EQ(read_date("13.4.2068", past), at(2068, 4, 13));
}

TEST(DateText, DeclaredDatesMayBeDigits) {
  EXPECT_EQ(read_declared_date("20140502", DateOrder::year_first), at(2014, 5, 2));
  EXPECT_EQ(read_declared_date("2014", DateOrder::year_first), at(2014, 1, 1));
  EXPECT_EQ(read_declared_date("1400000000", DateOrder::year_first), 1400000000.0);
  EXPECT_EQ(read_declared_date("1400000000500", DateOrder::year_first), 1400000000.5);
  EXPECT_EQ(read_declared_date("20141399", DateOrder::year_first), std::nullopt);
  EXPECT_EQ(read_declared_date("17", DateOrder::year_first), std::nullopt);
}

TEST(DateText, PrintedDatesReadBack) {
  for (const double seconds : {0.0, 1398988800.0, 1398988860.0, 1398988867.0, -86400.0, at(1, 1, 1), at(9999, 12, 31, 86399)})
    EXPECT_EQ(read_date((seconds < at(1000, 1, 1) ? "000" : "") + print_date(seconds), DateOrder::year_first), seconds);
  EXPECT_EQ(print_date(1398988860), "2014-05-02 00:01");
}

}  // namespace
}  // namespace taut
