// Cells of an Arrow stream as text, for files of text.
#include <taut/core/text.hpp>
#include <taut/data/arrow_cells.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

namespace taut {
namespace {

std::string padded(long long value, std::size_t width) {
  std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

// "2025-03-04", "2025-03-04T05:06:07.25".
std::string iso_date(double seconds, bool is_day) {
  constexpr double most_seconds = 4e11;  // beyond the years that a calendar of 16 bits has
  if (!(std::abs(seconds) < most_seconds)) return print_number(seconds);
  const double whole = std::floor(seconds);
  const auto count = static_cast<long long>(whole);
  const long long days = count >= 0 ? count / 86400 : -((-count + 86399) / 86400);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  std::string text = padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) + "-" +
                     padded(static_cast<unsigned>(date.day()), 2);
  if (is_day) return text;
  const long long of_day = count - days * 86400;
  text += "T" + padded(of_day / 3600, 2) + ":" + padded(of_day / 60 % 60, 2) + ":" + padded(of_day % 60, 2);
  const auto micros = std::llround((seconds - whole) * 1e6);
  if (micros == 0 || micros == 1'000'000) return text;
  text += "." + padded(micros, 6);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

// Of a float: fewer digits than the double next to it needs.
std::string shortest(float value) {
  if (std::isnan(value)) return "";
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::string decimal_digits(const unsigned char* bytes, int size, int scale) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(size) / 4);
  std::memcpy(words.data(), bytes, static_cast<std::size_t>(size));
  const bool is_negative = (words.back() >> 31) != 0;
  if (is_negative) {
    std::uint64_t carry = 1;
    for (auto& word : words) {
      carry += static_cast<std::uint32_t>(~word);
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string digits;  // the last one first
  while (std::any_of(words.begin(), words.end(), [](std::uint32_t word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = (rest << 32) | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  if (scale > 0) {
    const auto after = static_cast<std::size_t>(scale);
    if (digits.size() <= after) digits.append(after + 1 - digits.size(), '0');
    digits.insert(after, 1, '.');
  } else if (!digits.empty()) {
    digits.insert(0, static_cast<std::size_t>(-scale), '0');
  }
  if (digits.empty()) digits = "0";
  if (is_negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::string ArrowCells::printed(Index row) const {
  using Kind = ArrowType::Cells;
  if (!is_there(row) || type_.cells == Kind::none) return "";
  if (type_.is_text()) return std::string(text(row));
  if (type_.cells == Kind::decimal) return decimal_digits(decimal_bytes(row), type_.decimal_bytes, type_.decimal_scale);
  if (type_.cells == Kind::bits) return bit(static_cast<const std::uint8_t*>(buffers_[1]), row) ? "true" : "false";
  if (type_.cells == Kind::half) return print_number(from_half(load<std::uint16_t>(buffers_[1], row)));
  if (type_.cells == Kind::float64) return print_number(load<double>(buffers_[1], row));
  if (type_.cells == Kind::float32) return shortest(load<float>(buffers_[1], row));
  std::string result;
  with_integers([&](auto number) {
    const auto value = load<decltype(number)>(buffers_[1], row);
    if (type_.meaning == ArrowType::Meaning::number)
      result = std::to_string(value);
    else if (type_.meaning == ArrowType::Meaning::date)
      result = iso_date(type_.seconds(static_cast<std::int64_t>(value)), type_.is_day);
    else
      result = print_number(type_.seconds(static_cast<std::int64_t>(value)));
  });
  return result;
}

}  // namespace taut
