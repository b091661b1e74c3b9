#include <taut/data/arrow/type.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <charconv>
#include <string_view>
#include <vector>

namespace taut {
namespace {

using Cells = ArrowType::Cells;
using Meaning = ArrowType::Meaning;

ArrowType unsupported(std::string words) { return {.words = std::move(words)}; }

ArrowType one_letter(char letter) {
  switch (letter) {
    case 'n':
      return {Cells::none, Meaning::number};
    case 'b':
      return {Cells::bits, Meaning::boolean};
    case 'c':
      return {Cells::int8, Meaning::number};
    case 'C':
      return {Cells::uint8, Meaning::number};
    case 's':
      return {Cells::int16, Meaning::number};
    case 'S':
      return {Cells::uint16, Meaning::number};
    case 'i':
      return {Cells::int32, Meaning::number};
    case 'I':
      return {Cells::uint32, Meaning::number};
    case 'l':
      return {Cells::int64, Meaning::number};
    case 'L':
      return {Cells::uint64, Meaning::number};
    case 'e':
      return {Cells::half, Meaning::number};
    case 'f':
      return {Cells::float32, Meaning::number};
    case 'g':
      return {Cells::float64, Meaning::number};
    case 'u':
      return {Cells::text32, Meaning::text};
    case 'U':
      return {Cells::text64, Meaning::text};
    case 'z':
    case 'Z':
      return unsupported("bytes");
    default:
      return unsupported(std::string("the Arrow type '") + letter + "'");
  }
}

// The number of time units in a second: 's', 'm', 'u', 'n'; 0 for other letters.
std::int64_t units_in_second(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    case 'n':
      return 1'000'000'000;
    default:
      return 0;
  }
}

// "tdD": days, "tsn:Europe/Berlin": instants, "tDu": durations, "ttm": times of day. With a time zone, cells are instants in UTC.
ArrowType time_type(std::string_view format) {
  constexpr std::int64_t day = 86400;
  if (format == "tdD") return {.cells = Cells::int32, .meaning = Meaning::date, .seconds_each = day, .is_day = true};
  if (format == "tdm") return {.cells = Cells::int64, .meaning = Meaning::date, .per_second = 1000, .is_day = true};
  const std::int64_t units = format.size() < 3 ? 0 : units_in_second(format[2]);
  if (units == 0) return unsupported("calendar intervals");
  switch (format[1]) {
    case 's':
      return {.cells = Cells::int64, .meaning = Meaning::date, .per_second = units};
    case 'D':
      return {.cells = Cells::int64, .meaning = Meaning::duration, .per_second = units};
    case 't':
      return {.cells = units > 1000 ? Cells::int64 : Cells::int32, .meaning = Meaning::duration, .per_second = units};
    default:
      return unsupported("calendar intervals");
  }
}

// "d:precision,scale" or "d:precision,scale,bits".
ArrowType decimal_type(std::string_view format) {
  constexpr int max_scale = 1000;
  const auto parts = split_text(format.substr(2), ',');
  std::vector<int> numbers;
  for (const auto& part : parts) {
    int number = 0;
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (failure != std::errc() || end != part.data() + part.size()) return unsupported("decimals of an unknown form");
    numbers.push_back(number);
  }
  if (numbers.size() == 2) numbers.push_back(128);
  const bool is_known = numbers.size() == 3 && numbers[1] >= -max_scale && numbers[1] <= max_scale &&
                        (numbers[2] == 32 || numbers[2] == 64 || numbers[2] == 128 || numbers[2] == 256);
  if (!is_known) return unsupported("decimals of an unknown form");
  return {.cells = Cells::decimal, .meaning = Meaning::number, .decimal_bytes = numbers[2] / 8, .decimal_scale = numbers[1]};
}

ArrowType nested_type(std::string_view format) {
  if (format.starts_with("+s")) return unsupported("structures of several values");
  if (format.starts_with("+m")) return unsupported("maps");
  if (format.starts_with("+u")) return unsupported("unions of several types");
  if (format.starts_with("+r")) return unsupported("run-end encoded values");
  return unsupported("lists");
}

}  // namespace

ArrowType arrow_type(const char* text) {
  const std::string_view format = text == nullptr ? std::string_view() : std::string_view(text);
  if (format.empty()) return unsupported("no type at all");
  if (format.size() == 1) return one_letter(format.front());
  if (format == "vu") return {Cells::text_view, Meaning::text};
  if (format == "vz" || format.starts_with("w:")) return unsupported("bytes");
  if (format.starts_with("d:")) return decimal_type(format);
  if (format.front() == 't') return time_type(format);
  if (format.front() == '+') return nested_type(format);
  return unsupported(format_text("the Arrow type '{}'", format.substr(0, 20)));
}

ColumnKind kind_of(const ArrowSchema& field) {
  if (field.dictionary != nullptr)
    return (field.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0 ? ColumnKind::ordered : ColumnKind::category;
  switch (arrow_type(field.format).meaning) {
    case Meaning::boolean:
      return ColumnKind::boolean;
    case Meaning::date:
      return ColumnKind::date;
    case Meaning::text:
      return ColumnKind::category;
    default:
      return ColumnKind::number;
  }
}

}  // namespace taut
