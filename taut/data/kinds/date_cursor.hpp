// What the readers of dates share: a cursor, names of months and days, and days in seconds. Only they include this.
#pragma once

#include <taut/core/text.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace taut {

constexpr std::int64_t seconds_per_day = 86400;

inline bool is_date_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A year of two digits is in this century up to `last_short_year`.
inline std::int64_t full_year(std::int64_t year, std::size_t digits, int last_short_year) {
  if (digits > 2) return year;
  return year + (year <= last_short_year ? 2000 : 1900);
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

inline unsigned position_in(std::span<const std::string_view> names, std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word.size() >= 3 && names[i].starts_with(word)) return static_cast<unsigned>(i + 1);
  return 0;
}

inline unsigned month_of(std::string_view word) {
  static constexpr std::array<std::string_view, 12> names = {
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"};
  return position_in(names, word == "sept" ? "sep" : word);
}

inline bool is_weekday(std::string_view word) {
  static constexpr std::array<std::string_view, 7> names = {"monday", "tuesday",  "wednesday", "thursday",
                                                            "friday", "saturday", "sunday"};
  return position_in(names, word) > 0;
}

// Seconds from 1970-01-01 to the start of a day. The year has at most four digits, month and day at most two.
inline std::optional<double> day_in_seconds(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count() * seconds_per_day);
}

}  // namespace taut
