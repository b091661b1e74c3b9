// Quarters, weeks and months as people and statistical offices write them.
#include <taut/data/kinds/date_cursor.hpp>
#include <taut/data/kinds/date_text.hpp>

namespace taut {

namespace {

// The Monday of a week by ISO 8601: week 1 is the one with 4 January. Nothing if the year has no such week.
std::optional<double> week_in_seconds(std::int64_t year, std::int64_t week, std::int64_t weekday) {
  using namespace std::chrono;
  if (week < 1 || week > 53 || weekday < 1 || weekday > 7) return std::nullopt;
  const sys_days fourth = std::chrono::year(static_cast<int>(year)) / January / 4;
  const sys_days monday = fourth - days(std::chrono::weekday(fourth).iso_encoding() - 1) + days(7 * (week - 1));
  if (int(year_month_day(monday + days(3)).year()) != year) return std::nullopt;
  return static_cast<double>((monday + days(weekday - 1)).time_since_epoch().count() * seconds_per_day);
}

std::optional<double> quarter_in_seconds(std::int64_t year, const Digits& quarter) {
  if (quarter.count != 1 || quarter.value < 1 || quarter.value > 4) return std::nullopt;
  return day_in_seconds(year, 3 * quarter.value - 2, 1);
}

// Skips one separator and the blanks around it.
void skip_separator(Cursor& at) {
  at.skip_blanks();
  at.skip('-') || at.skip('/') || at.skip(':') || at.skip('.') || at.skip(',');
  at.skip_blanks();
}

// "1998 Q1", "2018Q2", "1989-W28", "1989-W28-3", "1994M01", "1994 Jan", after the year.
std::optional<double> year_comes_first(Cursor& at, std::int64_t year) {
  skip_separator(at);
  const std::string word = at.word();
  if (word == "q") return quarter_in_seconds(year, at.digits());
  if (word == "w") {
    const Digits week = at.digits();
    if (week.count == 0 || week.count > 2) return std::nullopt;
    Digits weekday{1, 1};
    if (at.skip('-')) weekday = at.digits();
    if (weekday.count != 1) return std::nullopt;
    return week_in_seconds(year, week.value, weekday.value);
  }
  if (word == "m") {
    const Digits month = at.digits();
    return month.count == 1 || month.count == 2 ? day_in_seconds(year, month.value, 1) : std::nullopt;
  }
  if (const unsigned month = month_of(word); month > 0) {
    at.skip('.');
    return day_in_seconds(year, month, 1);
  }
  return std::nullopt;
}

// "Q1 1998", "Oct-75", "Oct '75", "Jan/1994". A month and two digits after a blank may be a day: "May 12" is no period.
std::optional<double> year_comes_last(Cursor& at, const DateRules& rules) {
  const std::string word = at.word();
  const bool is_quarter = word == "q";
  const Digits quarter = is_quarter ? at.digits() : Digits{};
  const unsigned month = is_quarter ? 0 : month_of(word);
  if (!is_quarter && month == 0) return std::nullopt;
  at.skip('.');
  at.skip_blanks();
  const bool is_marked = at.skip('-') || at.skip('/') || at.skip('\'');
  at.skip_blanks();
  const Digits year = at.digits();
  if (year.count != 4 && !(year.count == 2 && is_marked)) return std::nullopt;
  const std::int64_t full = full_year(year.value, year.count, rules.last_short_year);
  return is_quarter ? quarter_in_seconds(full, quarter) : day_in_seconds(full, month, 1);
}

}  // namespace

std::optional<double> read_period(std::string_view text, const DateRules& rules) {
  Cursor at(text);
  std::optional<double> start;
  if (is_letter(at.next())) {
    start = year_comes_last(at, rules);
  } else if (const Digits year = at.digits(); year.count == 4) {
    start = year_comes_first(at, year.value);
  }
  return at.at_end() ? start : std::nullopt;
}

}  // namespace taut
