// Dates and times as people and programs write them.
//
//   2014-05-02, 2014/5/2, 2014-05-02T13:00:00Z, 20140502T000000, 2014-05-02 13:00:00.5+02:00, 2014-05
//   2.5.2014, 05/02/2014, 2-May-2014, May 2, 2014, Fri, 02 May 2014 13:00:00 GMT, 02/05/14 1:00 PM
//   13:05 and 13:05:07: a time of day
//
// A moment with an offset from UTC is that moment; one without is taken as it stands.
#pragma once

#include <taut/data/column.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace taut {

// Seconds since 1970-01-01, or nothing. `order` decides 03/04/2025, which is no date for DateOrder::year_first.
std::optional<double> read_date(std::string_view text, DateOrder order);

// What --date may also be given: 20140502, 2014, and seconds or milliseconds since 1970-01-01 with at least nine digits.
std::optional<double> read_declared_date(std::string_view text, DateOrder order);

// "2014-05-02", with the time of day where it is not midnight.
std::string print_date(double seconds);

}  // namespace taut
