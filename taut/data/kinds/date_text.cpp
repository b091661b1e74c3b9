#include <taut/data/kinds/date_text.hpp>

#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
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

namespace {

constexpr std::int64_t seconds_per_day = 86400;

bool is_date_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// POSIX's rule for years of two digits.
std::int64_t full_year(std::int64_t year, std::size_t digits) {
  if (digits > 2) return year;
  return year + (year < 69 ? 2000 : 1900);
}

struct Digits {
  std::int64_t value = 0;
  std::size_t count = 0;
};

// Reads a text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool skip(char c) {
    if (next() != c || at_end()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (next() == ' ') rest_.remove_prefix(1);
  }
  Digits digits() {
    Digits found;
    while (is_date_digit(next()) && found.count < 18) {
      found.value = found.value * 10 + (next() - '0');
      ++found.count;
      rest_.remove_prefix(1);
    }
    return found;
  }
  // The letters that come next, in lower case.
  std::string word() {
    std::string found;
    while (is_letter(next()) && found.size() < 12) {
      found += lower_case(next());
      rest_.remove_prefix(1);
    }
    return found;
  }

 private:
  std::string_view rest_;
};

unsigned position_in(std::span<const std::string_view> names, std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word.size() >= 3 && names[i].starts_with(word)) return static_cast<unsigned>(i + 1);
  return 0;
}

unsigned month_of(std::string_view word) {
  static constexpr std::array<std::string_view, 12> names = {
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"};
  return position_in(names, word == "sept" ? "sep" : word);
}

bool is_weekday(std::string_view word) {
  static constexpr std::array<std::string_view, 7> names = {"monday", "tuesday",  "wednesday", "thursday",
                                                            "friday", "saturday", "sunday"};
  return position_in(names, word) > 0;
}

// Seconds from 1970-01-01 to the start of a day. The year has at most four digits, month and day at most two.
std::optional<double> day_in_seconds(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count() * seconds_per_day);
}

// "2014-05-02", "2014/5/2", "2014-05", after the year's four digits.
std::optional<double> year_first(Cursor& at, const Digits& year) {
  const char separator = at.next();
  at.skip(separator);
  const Digits month = at.digits();
  if (month.count == 0 || month.count > 2) return std::nullopt;
  if (!at.skip(separator))
    return separator == '-' && month.count == 2 ? day_in_seconds(year.value, month.value, 1) : std::nullopt;
  const Digits day = at.digits();
  if (day.count == 0 || day.count > 2) return std::nullopt;
  return day_in_seconds(year.value, month.value, day.value);
}

// "2-May-2014", "02 May 2014", "2 May, 2014", after the day.
std::optional<double> month_name_second(Cursor& at, const Digits& day) {
  at.skip('.');
  at.skip('-') || at.skip('/');
  at.skip_blanks();
  const unsigned month = month_of(at.word());
  at.skip('.') || at.skip(',');
  at.skip('-') || at.skip('/');
  at.skip_blanks();
  const Digits year = at.digits();
  if (month == 0 || (year.count != 4 && year.count != 2)) return std::nullopt;
  return day_in_seconds(full_year(year.value, year.count), month, day.value);
}

// "03/04/2025", "3.4.25", after the first number.
std::optional<double> day_and_month(Cursor& at, const Digits& first, DateOrder order) {
  const char separator = at.next();
  at.skip(separator);
  const Digits second = at.digits();
  if (second.count == 0 || second.count > 2 || !at.skip(separator)) return std::nullopt;
  const Digits year = at.digits();
  if (year.count != 4 && year.count != 2) return std::nullopt;
  // Without a known order, only an unambiguous date is read.
  const bool is_ambiguous = first.value <= 12 && second.value <= 12 && first.value != second.value;
  if (order == DateOrder::year_first && is_ambiguous) return std::nullopt;
  const bool day_comes_first = order == DateOrder::day_first || (order == DateOrder::year_first && second.value <= 12);
  return day_in_seconds(full_year(year.value, year.count), day_comes_first ? second.value : first.value,
                        day_comes_first ? first.value : second.value);
}

// "May 2, 2014", "May 2014", after the month.
std::optional<double> month_name_first(Cursor& at, unsigned month) {
  at.skip('.');
  at.skip('-');
  at.skip_blanks();
  const Digits day = at.digits();
  if (day.count == 4) return day_in_seconds(day.value, month, 1);
  if (day.count == 0 || day.count > 2) return std::nullopt;
  at.skip(',');
  at.skip('-');
  at.skip_blanks();
  const Digits year = at.digits();
  return year.count == 4 ? day_in_seconds(year.value, month, day.value) : std::nullopt;
}

std::optional<double> day_part(Cursor& at, DateOrder order) {
  if (is_letter(at.next())) {
    std::string word = at.word();
    if (is_weekday(word)) {
      at.skip(',');
      at.skip('.');
      at.skip_blanks();
      if (!is_letter(at.next())) return day_part(at, order);
      word = at.word();
    }
    const unsigned month = month_of(word);
    return month > 0 ? month_name_first(at, month) : std::nullopt;
  }
  const Digits first = at.digits();
  const char next = at.next();
  const bool has_separator = next == '-' || next == '/' || next == '.';
  if (first.count == 4 && has_separator) return year_first(at, first);
  if (first.count == 8 && (next == 'T' || next == 't'))
    return day_in_seconds(first.value / 10000, first.value / 100 % 100, first.value % 100);
  if (first.count == 0 || first.count > 2) return std::nullopt;
  Cursor ahead = at;
  ahead.skip('.');
  ahead.skip('-') || ahead.skip('/');
  ahead.skip_blanks();
  if (is_letter(ahead.next())) return month_name_second(at, first);
  return has_separator ? day_and_month(at, first, order) : std::nullopt;
}

// "13:05", "13:05:07.25", "1:05 PM"; with `compact` also "130507".
std::optional<double> time_part(Cursor& at, bool compact) {
  Digits hour = at.digits(), minute, second;
  double fraction = 0;
  if (compact && (hour.count == 6 || hour.count == 4)) {
    second.value = hour.count == 6 ? hour.value % 100 : 0;
    const std::int64_t rest = hour.count == 6 ? hour.value / 100 : hour.value;
    minute.value = rest % 100;
    hour.value = rest / 100;
  } else {
    if (hour.count == 0 || hour.count > 2) return std::nullopt;
    if (at.skip(':')) {
      minute = at.digits();
      if (minute.count != 2) return std::nullopt;
      if (at.skip(':')) {
        second = at.digits();
        if (second.count != 2) return std::nullopt;
      }
    } else if (!compact) {
      return std::nullopt;
    }
  }
  if (at.next() == '.' || (at.next() == ',' && second.count == 2)) {
    at.skip(at.next());
    const Digits digits = at.digits();
    if (digits.count == 0) return std::nullopt;
    fraction = static_cast<double>(digits.value) / std::pow(10.0, static_cast<double>(digits.count));
  }
  Cursor ahead = at;
  ahead.skip_blanks();
  const std::string half = ahead.word();
  if (half == "am" || half == "pm") {
    if (hour.value < 1 || hour.value > 12) return std::nullopt;
    hour.value = hour.value % 12 + (half == "pm" ? 12 : 0);
    at = ahead;
  }
  const bool is_end_of_day = hour.value == 24 && minute.value == 0 && second.value == 0;
  if ((hour.value > 23 && !is_end_of_day) || minute.value > 59 || second.value > 60) return std::nullopt;
  return static_cast<double>(hour.value * 3600 + minute.value * 60 + second.value) + fraction;
}

// The seconds to subtract to get UTC; nothing if the text that follows is not a time zone.
std::optional<double> zone_part(Cursor& at) {
  at.skip_blanks();
  if (at.at_end()) return 0.0;
  if (is_letter(at.next())) {
    const std::string word = at.word();
    return word == "z" || word == "utc" || word == "gmt" ? std::optional(0.0) : std::nullopt;
  }
  const bool is_east = at.next() == '+';
  if (!at.skip('+') && !at.skip('-')) return std::nullopt;
  const Digits hours = at.digits();
  Digits minutes;
  std::int64_t whole = hours.value;
  if (hours.count == 4) {
    whole = hours.value / 100;
    minutes.value = hours.value % 100;
  } else if (hours.count > 2 || hours.count == 0) {
    return std::nullopt;
  } else if (at.skip(':')) {
    minutes = at.digits();
  }
  if (whole > 15 || minutes.value > 59) return std::nullopt;
  const auto offset = static_cast<double>(whole * 3600 + minutes.value * 60);
  return is_east ? offset : -offset;
}

}  // namespace

std::optional<double> read_date(std::string_view text, DateOrder order) {
  text = trim(text);
  if (text.size() < 4 || text.size() > 64) return std::nullopt;
  if (Cursor at(text); is_date_digit(text.front()) && text.find(':') <= 2) {
    const auto time = time_part(at, false);
    return at.at_end() ? time : std::nullopt;
  }
  Cursor at(text);
  const auto day = day_part(at, order);
  if (!day || at.at_end()) return day;
  const bool is_marked = at.skip('T') || at.skip('t');
  if (!is_marked) {
    at.skip(',');
    if (at.next() != ' ') return std::nullopt;
    at.skip_blanks();
  }
  const auto time = time_part(at, is_marked);
  if (!time) return std::nullopt;
  const auto offset = zone_part(at);
  return offset && at.at_end() ? std::optional(*day + *time - *offset) : std::nullopt;
}

std::optional<double> read_declared_date(std::string_view text, DateOrder order) {
  if (const auto date = read_date(text, order)) return date;
  const auto number = parse_number(trim(text));
  if (!number || *number != std::floor(*number)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(std::clamp(*number, -1e15, 1e15));
  if (whole >= 1000 && whole <= 9999) return day_in_seconds(whole, 1, 1);
  if (whole >= 10000000 && whole <= 99999999) return day_in_seconds(whole / 10000, whole / 100 % 100, whole % 100);
  if (std::abs(*number) < 1e8 || std::abs(*number) > 1e14) return std::nullopt;
  return std::abs(*number) < 1e11 ? *number : *number / 1000;
}

std::string print_date(double seconds) {
  if (!std::isfinite(seconds) || std::abs(seconds) > 1e14) return print_number(seconds);
  const double day = std::floor(seconds / static_cast<double>(seconds_per_day));
  const auto [year, month, of_month] = calendar_day(static_cast<std::int64_t>(day));
  const auto two = [](std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  std::string shown = std::to_string(year) + "-" + two(month) + "-" + two(of_month);
  const auto rest = static_cast<std::int64_t>(seconds - day * static_cast<double>(seconds_per_day));
  if (rest == 0) return shown;
  shown += " " + two(rest / 3600) + ":" + two(rest / 60 % 60);
  return rest % 60 == 0 ? shown : shown + ":" + two(rest % 60);
}

}  // namespace taut
