#include <taut/data/kinds/date_text.hpp>

#include <taut/data/kinds/date_cursor.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

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
std::optional<double> month_name_second(Cursor& at, const Digits& day, const DateRules& rules) {
  at.skip('.');
  at.skip('-') || at.skip('/');
  at.skip_blanks();
  const unsigned month = month_of(at.word());
  at.skip('.') || at.skip(',');
  at.skip('-') || at.skip('/');
  at.skip_blanks();
  const Digits year = at.digits();
  if (month == 0 || (year.count != 4 && year.count != 2)) return std::nullopt;
  return day_in_seconds(full_year(year.value, year.count, rules.last_short_year), month, day.value);
}

// "03/04/2025", "3.4.25", after the first number.
std::optional<double> day_and_month(Cursor& at, const Digits& first, const DateRules& rules) {
  const char separator = at.next();
  at.skip(separator);
  const Digits second = at.digits();
  if (second.count == 0 || second.count > 2 || !at.skip(separator)) return std::nullopt;
  const Digits year = at.digits();
  if (year.count != 4 && year.count != 2) return std::nullopt;
  const DateOrder order = rules.order;
  // Without a known order, only an unambiguous date is read.
  const bool is_ambiguous = first.value <= 12 && second.value <= 12 && first.value != second.value;
  if (order == DateOrder::year_first && is_ambiguous) return std::nullopt;
  const bool day_comes_first = order == DateOrder::day_first || (order == DateOrder::year_first && second.value <= 12);
  return day_in_seconds(full_year(year.value, year.count, rules.last_short_year), day_comes_first ? second.value : first.value,
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

std::optional<double> day_part(Cursor& at, const DateRules& rules) {
  if (is_letter(at.next())) {
    std::string word = at.word();
    if (is_weekday(word)) {
      at.skip(',');
      at.skip('.');
      at.skip_blanks();
      if (!is_letter(at.next())) return day_part(at, rules);
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
  if (is_letter(ahead.next())) return month_name_second(at, first, rules);
  return has_separator ? day_and_month(at, first, rules) : std::nullopt;
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

std::optional<double> read_date(std::string_view text, const DateRules& rules) {
  text = rules.has_periods ? trim_cell(text) : trim(text);
  if (text.size() < 4 || text.size() > 64) return std::nullopt;
  if (Cursor at(text); is_date_digit(text.front()) && text.find(':') <= 2) {
    const auto time = time_part(at, false);
    return at.at_end() ? time : std::nullopt;
  }
  if (rules.has_periods)
    if (const auto start = read_period(text, rules)) return start;
  Cursor at(text);
  const auto day = day_part(at, rules);
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

std::optional<double> read_declared_date(std::string_view text, const DateRules& rules) {
  if (const auto date = read_date(text, rules)) return date;
  const auto number = parse_number(rules.has_periods ? trim_cell(text) : trim(text));
  if (!number || *number != std::floor(*number)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(std::clamp(*number, -1e15, 1e15));
  if (whole >= 1000 && whole <= 9999) return day_in_seconds(whole, 1, 1);
  if (whole >= 10000000 && whole <= 99999999) return day_in_seconds(whole / 10000, whole / 100 % 100, whole % 100);
  if (std::abs(*number) < 1e8 || std::abs(*number) > 1e14) return std::nullopt;
  return std::abs(*number) < 1e11 ? *number : *number / 1000;
}

}  // namespace taut
