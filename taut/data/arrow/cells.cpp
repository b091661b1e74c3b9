#include <taut/data/arrow/cells.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace taut {

namespace {

using Cells = ArrowType::Cells;
using Meaning = ArrowType::Meaning;

constexpr std::int64_t exact_up_to = std::int64_t{1} << 53;

// The minimum number of buffers of an array of this type. A text_view has further buffers for its texts.
std::int64_t min_buffers(Cells cells) {
  switch (cells) {
    case Cells::none:
      return 0;
    case Cells::text32:
    case Cells::text64:
    case Cells::text_view:
      return 3;  // in a text_view the last buffer holds the sizes of the text buffers
    default:
      return 2;
  }
}

}  // namespace

double from_half(std::uint16_t bits) {
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction != 0 ? missing : sign * infinity;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

ArrowCells::ArrowCells(const ArrowSchema& field, const ArrowArray& array, Index first, Index rows, std::string place)
    : type_(arrow_type(field.format)),
      place_(std::move(place)),
      rows_(rows),
      buffers_(array.buffers),
      buffer_count_(array.n_buffers) {
  constexpr auto maximum = std::numeric_limits<std::int64_t>::max();
  if (array.release == nullptr) fail("the array has been released already");
  if (array.length < 0 || array.offset < 0 || array.offset > maximum - array.length) fail("an offset or a length is impossible");
  if (first < 0 || rows < 0 || first > array.length || rows > array.length - first)
    fail(format_text("expected {} rows, got {}", print_count(first + rows), print_count(array.length)));
  start_ = array.offset + first;
  if (rows > 0 && type_.is_supported()) check_buffers(array);
}

void ArrowCells::fail(const std::string& what) const {
  throw Error(format_text("{}: the Arrow data are broken: {}; the program that wrote them has a defect", place_, what));
}

void ArrowCells::check_buffers(const ArrowArray& array) {
  const std::int64_t wanted = min_buffers(type_.cells);
  if (wanted == 0) return;
  if (array.n_buffers < wanted || array.buffers == nullptr)
    fail(format_text("expected {} buffers, got {}", wanted, array.n_buffers));
  if (array.buffers[1] == nullptr) fail("the buffer of the cells is not there");
  if (array.buffers[0] == nullptr && array.null_count > 0) fail("there are missing cells, but nothing says which");
  if (array.null_count != 0) bits_ = static_cast<const std::uint8_t*>(array.buffers[0]);
}

std::optional<CellsView> ArrowCells::in_place() const {
  if (rows_ == 0 || type_.meaning != Meaning::number) return std::nullopt;
  for (Index row = 0; bits_ != nullptr && row < rows_; ++row)
    if (!is_there(row)) return std::nullopt;
  const auto is_aligned = [&](std::size_t size) { return reinterpret_cast<std::uintptr_t>(buffers_[1]) % size == 0; };
  if (type_.cells == Cells::float64 && is_aligned(alignof(double)))
    return CellsView(static_cast<const double*>(buffers_[1]) + start_, 1);
  if (type_.cells == Cells::float32 && is_aligned(alignof(float)))
    return CellsView(static_cast<const float*>(buffers_[1]) + start_, 1);
  return std::nullopt;
}

template <class Number>
void ArrowCells::convert(double* out) const {
  for (Index row = 0; row < rows_; ++row) out[row] = static_cast<double>(load<Number>(buffers_[1], row));
}

void ArrowCells::convert_instants(double* out) const {
  with_integers([&](auto number) {
    for (Index row = 0; row < rows_; ++row)
      out[row] = type_.seconds(static_cast<std::int64_t>(load<decltype(number)>(buffers_[1], row)));
  });
}

void ArrowCells::read_numbers(double* out) const {
  if (type_.meaning == Meaning::date || type_.meaning == Meaning::duration) {
    convert_instants(out);
  } else {
    with_integers([&](auto number) { convert<decltype(number)>(out); });
  }
  switch (type_.cells) {
    case Cells::none:
      std::fill(out, out + rows_, missing);
      return;
    case Cells::float32:
      convert<float>(out);
      break;
    case Cells::float64:
      convert<double>(out);
      break;
    case Cells::bits:
      for (Index row = 0; row < rows_; ++row) out[row] = bit(static_cast<const std::uint8_t*>(buffers_[1]), row) ? 1 : 0;
      break;
    case Cells::half:
      for (Index row = 0; row < rows_; ++row) out[row] = from_half(load<std::uint16_t>(buffers_[1], row));
      break;
    case Cells::decimal:
      for (Index row = 0; row < rows_; ++row) out[row] = is_there(row) ? decimal(row) : missing;
      break;
    default:
      break;
  }
  for (Index row = 0; bits_ != nullptr && row < rows_; ++row)
    if (!is_there(row)) out[row] = missing;
}

Index ArrowCells::count_rounded() const {
  if (type_.meaning != Meaning::number || (type_.cells != Cells::int64 && type_.cells != Cells::uint64)) return 0;
  Index count = 0;
  const bool is_signed = type_.cells == Cells::int64;
  for (Index row = 0; row < rows_; ++row) {
    const auto value = load<std::int64_t>(buffers_[1], row);
    const bool is_large = value > exact_up_to || (is_signed ? value < -exact_up_to : value < 0);
    if (is_large && is_there(row)) ++count;
  }
  return count;
}

const unsigned char* ArrowCells::decimal_bytes(Index row) const {
  return static_cast<const unsigned char*>(buffers_[1]) +
         static_cast<std::size_t>(start_ + row) * static_cast<std::size_t>(type_.decimal_bytes);
}

// If numerator and power are exact doubles, their quotient is the nearest double, as if the digits were read.
double ArrowCells::decimal(Index row) const {
  constexpr int max_exact_power = 22;  // 10 ^ 22 is a double
  const auto size = static_cast<std::size_t>(type_.decimal_bytes);
  const unsigned char* bytes = decimal_bytes(row);
  const unsigned char sign = (bytes[size - 1] & 0x80U) != 0 ? 0xFF : 0;
  std::int64_t low = 0;
  std::memset(&low, sign, sizeof low);
  std::memcpy(&low, bytes, std::min(size, sizeof low));
  bool is_small = std::abs(low) <= exact_up_to && (low < 0) == (sign != 0);
  for (std::size_t i = sizeof low; i < size; ++i) is_small = is_small && bytes[i] == sign;
  if (is_small && type_.decimal_scale >= 0 && type_.decimal_scale <= max_exact_power) {
    double power = 1;
    for (int i = 0; i < type_.decimal_scale; ++i) power *= 10;
    return static_cast<double>(low) / power;
  }
  return cell_number(decimal_digits(bytes, type_.decimal_bytes, type_.decimal_scale)).value_or(missing);
}

template <class Offset>
std::string_view ArrowCells::text_at(Index row) const {
  const auto begin = load<Offset>(buffers_[1], row), end = load<Offset>(buffers_[1], row + 1);
  if (begin < 0 || end < begin) fail("the texts' offsets do not rise at row " + print_count(row + 1));
  if (begin == end) return {};
  if (buffers_[2] == nullptr) fail("the buffer of the texts is not there");
  return {static_cast<const char*>(buffers_[2]) + begin, static_cast<std::size_t>(end - begin)};
}

// A cell has 16 bytes: the length, then the text itself if it has at most 12 bytes. A longer text has its first 4 bytes there,
// then the number of its buffer and its offset in it.
std::string_view ArrowCells::viewed_text(Index row) const {
  constexpr std::int32_t longest_in_place = 12;
  const char* view = static_cast<const char*>(buffers_[1]) + static_cast<std::size_t>(start_ + row) * 16;
  std::int32_t length = 0, buffer = 0, offset = 0;
  std::memcpy(&length, view, 4);
  if (length < 0) fail("a text has a negative length");
  if (length <= longest_in_place) return {view + 4, static_cast<std::size_t>(length)};
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  const std::int64_t last = buffer_count_ - 1;
  if (buffer < 0 || buffer + 2 >= last || buffers_[last] == nullptr) fail("a text lies in a buffer that is not there");
  std::int64_t size = 0;
  std::memcpy(&size, static_cast<const char*>(buffers_[last]) + static_cast<std::size_t>(buffer) * sizeof size, sizeof size);
  if (offset < 0 || static_cast<std::int64_t>(offset) + length > size || buffers_[buffer + 2] == nullptr)
    fail("a text lies outside its buffer");
  return {static_cast<const char*>(buffers_[buffer + 2]) + offset, static_cast<std::size_t>(length)};
}

std::string_view ArrowCells::text(Index row) const {
  switch (type_.cells) {
    case Cells::text32:
      return text_at<std::int32_t>(row);
    case Cells::text64:
      return text_at<std::int64_t>(row);
    case Cells::text_view:
      return viewed_text(row);
    default:
      fail("a text was expected");
  }
}

Index ArrowCells::position(Index row, Index count) const {
  std::int64_t value = -1;
  with_integers([&](auto number) {
    const auto stored = load<decltype(number)>(buffers_[1], row);
    if (!std::in_range<std::int64_t>(stored)) return;
    value = static_cast<std::int64_t>(stored);
  });
  if (value < 0 || value >= count)
    fail(format_text("row {} points outside its dictionary of {} entries", print_count(row + 1), print_count(count)));
  return value;
}

namespace {

std::string padded(long long value, std::size_t width) {
  std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

// "2025-03-04", "2025-03-04T05:06:07.25".
std::string iso_date(double seconds, bool is_day) {
  constexpr double max_seconds = 4e11;  // std::chrono::year has 16 bits
  if (!(std::abs(seconds) < max_seconds)) return print_number(seconds);
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

// The shortest digits that read back as this float; fewer than the same number needs as a double.
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
  std::string digits;  // the last digit first
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
