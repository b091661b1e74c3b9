#include <taut/data/kinds/range_text.hpp>

#include <taut/core/text.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

constexpr double share_of_readable = 0.95;
constexpr double share_of_ranges = 0.02;
constexpr Index max_numbers = 12;  // more different numbers are a column of numbers with a few odd cells
constexpr std::size_t max_ranges = 60;
constexpr double factor_of_k = 1000;

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

// Takes the first of some words or signs, which are in lower case, and the blanks after it.
template <std::size_t size>
bool take_any(std::string_view& text, const std::array<std::string_view, size>& words) {
  for (const auto word : words) {
    std::string_view rest = text;
    if (!take(rest, word)) continue;
    const bool is_word = word.back() >= 'a' && word.back() <= 'z';
    if (is_word && !rest.empty() && rest.front() != ' ') continue;
    text = trim_cell(rest);
    return true;
  }
  return false;
}

// A number without a sign: 18, 0.5, 49,999, $25k, 10%. Takes the blanks after it.
std::optional<double> take_number(std::string_view& text) {
  static constexpr std::array<std::string_view, 3> currencies = {"$", "€", "£"};
  take_any(text, currencies);
  std::string digits;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const auto three_digits_follow = [&] {
      const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
      return is_digit(at + 1) && is_digit(at + 2) && is_digit(at + 3) && !is_digit(at + 4);
    };
    if (c == ',' && !digits.empty() && digits.find('.') == std::string::npos && three_digits_follow()) continue;
    const bool is_point = c == '.' && digits.find('.') == std::string::npos && at + 1 < text.size() && text[at + 1] != '.';
    if (!(c >= '0' && c <= '9') && !is_point) break;
    digits += c;
  }
  auto value = parse_number(digits);
  if (!value) return std::nullopt;
  text.remove_prefix(at);
  if (text.starts_with("k") && (text.size() == 1 || !(text[1] >= 'a' && text[1] <= 'z'))) {
    *value *= factor_of_k;
    text.remove_prefix(1);
  }
  static constexpr std::array<std::string_view, 3> units = {"%", "€", "£"};
  text = trim_cell(text);
  take_any(text, units);
  return value;
}

// A word for a unit may end every text: "18-24 years".
bool is_unit(std::string_view rest) {
  static constexpr std::array<std::string_view, 20> units = {"years",   "year", "yrs",  "yr",    "y",         "months", "month",
                                                             "weeks",   "week", "days", "day",   "hours",     "hour",   "h",
                                                             "minutes", "min",  "km",   "miles", "employees", "people"};
  take_any(rest, std::array<std::string_view, 1>{"."});
  return rest.empty() || std::find(units.begin(), units.end(), rest) != units.end();
}

}  // namespace

std::optional<TextRange> read_range(std::string_view given) {
  static constexpr std::array<std::string_view, 9> below = {"<=",        "≤",     "<",          "under",  "below",
                                                            "less than", "up to", "fewer than", "at most"};
  static constexpr std::array<std::string_view, 9> above = {">=",           "≥",   ">", "over", "above", "more than", "at least",
                                                            "greater than", "from"};
  static constexpr std::array<std::string_view, 5> between = {"-", "–", "—", "to", ".."};
  static constexpr std::array<std::string_view, 16> open_end = {
      "+",       "plus",     "and over", "and above",  "and older",   "and more",       "and up",         "or more",
      "or over", "or older", "or above", "or greater", "and upwards", "years and over", "years or older", "years and older"};
  static constexpr std::array<std::string_view, 8> closed_end = {"or less",  "or fewer",  "or under", "and under",
                                                                 "or below", "and below", "and less", "or younger"};
  constexpr std::size_t longest = 40;
  std::string text = lower_case(trim_cell(given));
  if (text.empty() || text.size() > longest) return std::nullopt;
  std::string_view rest = text;
  const bool is_below = take_any(rest, below), is_above = !is_below && take_any(rest, above);
  const auto low = take_number(rest);
  if (!low) return std::nullopt;
  if (is_below || is_above) {
    if (!is_unit(rest)) return std::nullopt;
    return is_below ? TextRange{-infinity, *low} : TextRange{*low, infinity};
  }
  if (rest.empty()) return TextRange{*low, *low, true};
  if (take_any(rest, open_end)) return is_unit(rest) ? std::optional(TextRange{*low, infinity}) : std::nullopt;
  if (take_any(rest, closed_end)) return is_unit(rest) ? std::optional(TextRange{-infinity, *low}) : std::nullopt;
  if (!take_any(rest, between)) return is_unit(rest) ? std::optional(TextRange{*low, *low}) : std::nullopt;
  const auto high = take_number(rest);
  if (!high || !is_unit(rest) || *high <= *low) return std::nullopt;
  return TextRange{*low, *high};
}

std::optional<std::vector<std::string>> ordered_ranges(const ColumnTexts& texts) {
  struct Level {
    TextRange range;
    std::string_view text;
  };
  std::vector<Level> levels;
  Index unreadable = 0, ranges = 0, numbers = 0;
  const auto all_cells = static_cast<double>(texts.cells);
  for (const auto& [text, cells] : texts.texts) {
    const auto range = read_range(text);
    unreadable += range ? 0 : cells;
    if (static_cast<double>(texts.cells - unreadable) < share_of_readable * all_cells) return std::nullopt;
    if (!range) continue;
    ranges += range->is_number ? 0 : cells;
    numbers += range->is_number ? 1 : 0;
    levels.push_back({*range, text});
    if (levels.size() > max_ranges || numbers > max_numbers) return std::nullopt;
  }
  if (ranges == 0 || static_cast<double>(ranges) < share_of_ranges * all_cells || levels.size() < 2) return std::nullopt;
  std::stable_sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) {
    return a.range.low != b.range.low ? a.range.low < b.range.low : a.range.high < b.range.high;
  });
  std::vector<std::string> ordered;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    // Ranges that overlap, such as scores of games or codes, have no order. Neighbours may share an end: 0-5, 5-10.
    if (i > 0 && (levels[i].range.low < levels[i - 1].range.high || levels[i].range == levels[i - 1].range)) return std::nullopt;
    ordered.emplace_back(levels[i].text);
  }
  return ordered;
}

}  // namespace taut
