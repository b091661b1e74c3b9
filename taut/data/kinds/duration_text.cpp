#include <taut/data/kinds/duration_text.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace taut {

namespace {

constexpr double share_of_durations = 0.95;

struct Duration {
  double seconds = 0;
  double first = 0;              // the number before the first colon
  std::size_t first_digits = 0;  // its digits
  int parts = 1;                 // 1: plain seconds, 2: minutes and seconds, 3: hours, minutes and seconds
  bool has_fraction = false;
};

bool are_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Duration> parse_duration(std::string_view text) {
  text = trim_cell(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !are_digits(text.substr(0, 1))) return std::nullopt;
  std::string_view fraction;
  if (const auto point = text.find_first_of(".,"); point != std::string_view::npos) {
    fraction = text.substr(point + 1);
    text = text.substr(0, point);
    if (!are_digits(fraction)) return std::nullopt;
  }
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size() && parts.size() < 4;) {
    const auto stop = std::min(text.find(':', start), text.size());
    parts.push_back(text.substr(start, stop - start));
    start = stop + 1;
  }
  constexpr std::size_t max_digits = 9;
  if (parts.size() > 3 || parts.front().size() > max_digits) return std::nullopt;
  Duration result{.first_digits = parts.front().size(), .parts = static_cast<int>(parts.size())};
  result.has_fraction = !fraction.empty();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!are_digits(parts[i]) || (i > 0 && (parts[i].size() != 2 || parts[i] > "59"))) return std::nullopt;
    const double value = cell_number(parts[i]).value_or(0);
    if (i == 0) result.first = value;
    result.seconds = 60 * result.seconds + value;
  }
  // The decimal digits are read together with the whole seconds, so that 59.12 is the double nearest to it.
  if (result.has_fraction)
    result.seconds = cell_number(print_number(result.seconds) + "." + std::string(fraction)).value_or(result.seconds);
  if (is_negative) result.seconds = -result.seconds;
  return result;
}

}  // namespace

std::optional<double> read_duration(std::string_view text) {
  const auto duration = parse_duration(text);
  return duration ? std::optional(duration->seconds) : std::nullopt;
}

bool are_durations(std::span<const CountedText> texts) {
  const auto has_colon = [](const CountedText& one) { return one.text.find(':') != std::string_view::npos; };
  if (std::none_of(texts.begin(), texts.end(), has_colon)) return false;
  Index cells = 0, durations = 0;
  bool has_two = false, has_three = false, cannot_be_clock = false, has_seconds = false, are_below_a_minute = true;
  bool have_short_hours = true;
  for (const auto& [text, count] : texts) {
    cells += count;
    const auto duration = parse_duration(text);
    if (!duration) continue;
    durations += count;
    if (duration->parts == 1) {
      has_seconds = true;
      are_below_a_minute = are_below_a_minute && std::abs(duration->seconds) < 60;
      continue;
    }
    has_two = has_two || duration->parts == 2;
    has_three = has_three || duration->parts == 3;
    have_short_hours = have_short_hours && (duration->parts != 3 || duration->first_digits == 1);
    const bool is_end_of_day = duration->first == 24 && duration->seconds == (duration->parts == 2 ? 24 * 60 : 24 * 3600);
    if ((duration->first > 23 && !is_end_of_day) || (duration->parts == 2 && duration->has_fraction)) cannot_be_clock = true;
  }
  if (!has_two && !has_three) return false;
  if (static_cast<double>(durations) < share_of_durations * static_cast<double>(cells)) return false;
  if (has_seconds) return are_below_a_minute;
  return cannot_be_clock || (has_two && has_three && have_short_hours);
}

}  // namespace taut
