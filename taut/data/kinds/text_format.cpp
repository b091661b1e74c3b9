#include <taut/data/kinds/text_format.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/duration_text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace taut {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 23> units = {"%",   "$",   "€",  "£",  "¥",   "₹",   "₽", "₩",
                                                    "US$", "R$",  "C$", "A$", "USD", "EUR", "GBP", "JPY",
                                                    "CHF", "SEK", "kr", "zł", "INR", "BRL", "Fr."};

constexpr std::array<std::string_view, 5> no_break_spaces = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x88",
                                                             "\xE2\x80\x87"};
constexpr std::string_view curly_apostrophe = "\xE2\x80\x99";
constexpr std::string_view minus_sign = "\xE2\x88\x92";

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (prefix.empty() || !text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes a separator of digit groups at the start of `text`; false if there is none.
bool take_thousands(std::string_view& text, char thousands) {
  if (thousands == ' ') {
    for (const auto space : no_break_spaces)
      if (take_prefix(text, space)) return true;
  }
  if (thousands == '\'' && take_prefix(text, curly_apostrophe)) return true;
  return take_prefix(text, {&thousands, 1});
}

std::size_t leading_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// Moves the digits of "1,234,567" or "1234567" from `text` to `plain`, without the separators. Groups have three digits; as in
// India, groups before the last may have two. False if the groups are wrong: 0,500 has no group of thousands.
bool take_whole_part(std::string_view& text, char thousands, std::string& plain) {
  std::size_t count = leading_digits(text);
  plain.append(text.substr(0, count));
  text.remove_prefix(count);
  if (thousands == 0 || count == 0) return true;
  const bool starts_with_zero = plain[plain.size() - count] == '0';
  std::size_t groups = 0, last = 0;
  for (std::string_view rest = text; take_thousands(rest, thousands); text = rest) {
    last = leading_digits(rest);
    if (last != 3 && last != 2) return false;
    if (groups++ == 0 && (count > 3 || starts_with_zero)) return false;
    plain.append(rest.substr(0, last));
    rest.remove_prefix(last);
  }
  return groups == 0 || last == 3;
}

// A text without its unit, sign and brackets.
struct Unwrapped {
  std::string_view body;
  bool is_negative = false;
};

std::optional<Unwrapped> unwrap(std::string_view text, std::string_view unit) {
  Unwrapped result{trim_cell(text)};
  std::string_view& body = result.body;
  if (body.size() > 2 && body.front() == '(' && body.back() == ')') {
    result.is_negative = true;
    body = trim_cell(body.substr(1, body.size() - 2));
  }
  const auto take_sign = [&] {
    if (take_prefix(body, "-") || take_prefix(body, minus_sign))
      result.is_negative = !result.is_negative;
    else
      take_prefix(body, "+");
  };
  const std::size_t before = body.size();
  take_sign();
  const bool had_sign = body.size() != before;
  if (!unit.empty()) {
    const bool in_front = take_prefix(body, unit);
    const bool behind = !in_front && body.ends_with(unit);
    if (behind) body.remove_suffix(unit.size());
    if (unit == "%" && !in_front && !behind) return std::nullopt;  // 0.5 beside 50% is ambiguous
    body = trim_cell(body);
    if (!had_sign) take_sign();
  }
  return body.empty() ? std::nullopt : std::optional(result);
}

// The unit at the start or end of the text; empty if there is none.
std::string_view unit_of(std::string_view text) {
  text = trim_cell(text);
  if (!text.empty() && text.front() == '(' && text.back() == ')') text = trim_cell(text.substr(1, text.size() - 2));
  if (!take_prefix(text, "-")) take_prefix(text, "+");
  std::string_view longest;
  for (const auto unit : units)
    if (unit.size() > longest.size() && (text.starts_with(unit) || text.ends_with(unit))) longest = unit;
  return longest;
}

struct BooleanPair {
  std::string_view no, yes;
};
constexpr std::array<BooleanPair, 5> boolean_pairs = {{{"false", "true"}, {"no", "yes"}, {"n", "y"}, {"f", "t"}, {"off", "on"}}};

// The format is inferred from at most this many texts.
constexpr std::size_t max_sample = 2000;

Index cells_in_format(std::span<const CountedText> texts, const TextFormat& format) {
  Index cells = 0;
  for (const auto& [text, count] : texts)
    if (read_number(text, format)) cells += count;
  return cells;
}

}  // namespace

std::optional<double> read_number(std::string_view text, const TextFormat& format) {
  const auto unwrapped = unwrap(text, format.unit);
  if (!unwrapped) return std::nullopt;
  std::string_view rest = unwrapped->body;
  if (!is_digit(rest.front()) && rest.front() != format.decimal) {  // inf, or not a number
    return format == TextFormat{} ? cell_number(text) : std::nullopt;
  }
  std::string plain;
  if (!take_whole_part(rest, format.thousands, plain)) return std::nullopt;
  if (take_prefix(rest, {&format.decimal, 1})) {
    plain += '.';
    const std::size_t count = leading_digits(rest);
    plain.append(rest.substr(0, count));
    rest.remove_prefix(count);
  }
  plain.append(rest);  // an exponent; anything else is refused below
  if (!rest.empty() && rest.front() != 'e' && rest.front() != 'E') return std::nullopt;
  const auto value = parse_number(plain);
  if (!value || !std::isfinite(*value)) return value && format == TextFormat{} ? cell_number(text) : std::nullopt;
  return unwrapped->is_negative ? -*value : *value;
}

std::optional<double> read_boolean(std::string_view text) {
  const std::string word = lower_case(trim_cell(text));
  for (const auto& [no, yes] : boolean_pairs) {
    if (word == no) return 0.0;
    if (word == yes) return 1.0;
  }
  const auto number = cell_number(word);
  return number == 0.0 || number == 1.0 ? number : std::nullopt;
}

std::optional<double> read_text(std::string_view text, const Column& column) {
  switch (column.kind) {
    case ColumnKind::boolean:
      return read_boolean(text);
    case ColumnKind::date:
      return read_declared_date(text, DateRules(column));
    default: {
      if (column.format.is_duration) return read_duration(text);
      if (column.format != TextFormat{}) return read_number(text, column.format);
      const auto plain = cell_number(text);
      return plain ? plain : read_number(text, column.format);  // a Unicode minus sign, brackets
    }
  }
}

namespace {

// Candidate formats in order of preference: of formats that read equally many cells, the first is chosen.
std::vector<TextFormat> candidates(std::string_view unit, const DecimalHint& hint, bool comma_is_fraction) {
  std::vector<TextFormat> formats;
  const auto add = [&](char point, char thousands) {
    if (hint.told == 0 || hint.told == point) formats.push_back({point, thousands, std::string(unit)});
  };
  if (hint.elsewhere == ',') {
    add(',', 0);
    add(',', '.');
  }
  add('.', 0);
  if (comma_is_fraction) add(',', 0);
  add('.', ',');
  add(',', 0);
  add(',', '.');
  for (const char thousands : {' ', '\''})
    for (const char point : {'.', ','}) add(point, thousands);
  return formats;
}

bool has_points(std::span<const CountedText> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const CountedText& one) { return one.text.find_first_of(".,") != std::string_view::npos; });
}

// True if some text is a whole number of at least two digits without a separator, such as 981 beside 1,392.
bool has_whole_numbers(std::span<const CountedText> texts) {
  return std::any_of(texts.begin(), texts.end(), [](const CountedText& one) {
    const auto digits = std::count_if(one.text.begin(), one.text.end(), is_digit);
    return digits >= 2 && one.text.find_first_of(".,") == std::string_view::npos &&
           read_number(one.text, TextFormat{'.', 0, std::string(unit_of(one.text))});
  });
}

std::vector<std::string_view> units_in(std::span<const CountedText> texts) {
  std::vector<std::string_view> seen = {""};
  for (const auto& one : texts)
    if (const auto unit = unit_of(one.text); std::find(seen.begin(), seen.end(), unit) == seen.end()) seen.push_back(unit);
  return seen;
}

}  // namespace

TextFormat number_format(std::span<const CountedText> texts, const DecimalHint& hint) {
  const auto sample = texts.first(std::min(texts.size(), max_sample));
  DecimalHint own = hint;
  if (!has_points(sample)) own.elsewhere = 0;  // without points and commas there is nothing to decide
  const bool comma_is_fraction =
      hint.elsewhere == ',' || (hint.elsewhere == 0 && hint.delimiter == ';' && !has_whole_numbers(sample));
  TextFormat best{hint.told != 0 ? hint.told : '.'};
  Index maximum = -1;
  for (const std::string_view unit : units_in(sample))
    for (auto& format : candidates(unit, own, comma_is_fraction)) {
      const Index cells = cells_in_format(sample, format);
      if (cells <= maximum) continue;
      maximum = cells;
      best = std::move(format);
    }
  return best;
}

char certain_decimal(std::span<const CountedText> texts) {
  const auto sample = texts.first(std::min(texts.size(), max_sample));
  Index by_point = 0, by_comma = 0;
  for (const std::string_view unit : units_in(sample))
    for (const auto& format : candidates(unit, {}, false))
      (format.decimal == '.' ? by_point : by_comma) =
          std::max(format.decimal == '.' ? by_point : by_comma, cells_in_format(sample, format));
  if (by_point == by_comma) return 0;
  return by_point > by_comma ? '.' : ',';
}

bool are_booleans(std::span<const CountedText> texts) {
  return !texts.empty() && std::any_of(boolean_pairs.begin(), boolean_pairs.end(), [&](const BooleanPair& pair) {
    return std::all_of(texts.begin(), texts.end(), [&](const CountedText& one) {
      const std::string word = lower_case(trim(one.text));
      return word == pair.no || word == pair.yes;
    });
  });
}

Index readable_cells(std::span<const CountedText> texts, const Column& column) {
  Index cells = 0;
  for (const auto& [text, count] : texts)
    if (read_text(text, column)) cells += count;
  return cells;
}

std::optional<DateOrder> date_order(std::span<const CountedText> texts) {
  Index by_day = 0, by_month = 0;
  bool agree = true;
  for (const auto& [text, count] : texts) {
    const auto day_first = read_date(text, DateOrder::day_first), month_first = read_date(text, DateOrder::month_first);
    if (day_first) by_day += count;
    if (month_first) by_month += count;
    agree = agree && day_first == month_first;
  }
  if (agree) return DateOrder::year_first;
  if (by_day == by_month) return std::nullopt;
  return by_day > by_month ? DateOrder::day_first : DateOrder::month_first;
}

int last_short_year(std::span<const CountedText> texts, DateOrder order) {
  DateRules usual(order), of_version(order);
  of_version.last_short_year = short_year_of_version;
  const bool reaches_future = std::any_of(texts.begin(), texts.end(), [&](const CountedText& one) {
    return read_date(one.text, usual) != read_date(one.text, of_version);
  });
  return reaches_future ? short_year_of_version : TextFormat::posix_short_year;
}

std::string example_of(const TextFormat& format) {
  if (format.is_duration) return "1:02:33.5";
  if (format.decimal == '.' && format.thousands == 0 && format.unit.empty()) return {};  // plain numbers, and dates
  std::string number = "1";
  if (format.thousands != 0) number += format.thousands;
  number += "234";
  number += format.decimal;
  number += "5";
  if (format.unit.empty()) return number;
  return format.unit == "%" ? number + "%" : format.unit + number;
}

std::string category_key(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return std::string(text);
  std::string word = lower_case(text);
  return word == "true" || word == "false" ? word : std::string(text);
}

}  // namespace taut
