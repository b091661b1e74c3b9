#include <taut/data/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace taut {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

void append_utf8(unsigned point, std::string& out) {
  const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | point >> 6);
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | point >> 18);
    add(0x80 | (point >> 12 & 0x3F));
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

// Bytes of the character at `at`, 0 if it is none: longer than needed, a surrogate, beyond the last one, cut.
std::size_t character_size(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte_at(text, at + 1);
  const bool is_possible = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second >= 0xA0) &&
                           !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second >= 0x90);
  return is_possible ? size : 0;
}

// Of the bytes 0x80 to 0x9F; the others are those of Unicode. Five are unused and stand for themselves.
constexpr std::array<std::uint16_t, 32> windows_1252 = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

constexpr unsigned replacement = 0xFFFD;  // for half of a surrogate pair
constexpr bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::size_t valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - at >= sizeof eight) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const std::size_t size = character_size(text, at);
    if (size == 0) return at;
    at += size;
  }
  return text.size();
}

AsUtf8 with_windows_1252(std::string_view text) {
  AsUtf8 result;
  result.text.reserve(text.size() + text.size() / 8);
  for (;;) {
    const std::size_t valid = valid_utf8(text);
    result.text += text.substr(0, valid);
    if (valid == text.size()) return result;
    const unsigned byte = byte_at(text, valid);
    append_utf8(byte < 0xA0 ? windows_1252[byte - 0x80] : byte, result.text);
    ++result.converted;
    text.remove_prefix(valid + 1);
  }
}

// Without a mark: text in Latin letters has zeros in one half of most units, and never in the other.
std::optional<Utf16> utf16_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\xFF\xFE")) return Utf16::little_endian;
  if (first_bytes.starts_with("\xFE\xFF")) return Utf16::big_endian;
  constexpr std::size_t enough = 512;
  const std::size_t pairs = std::min(first_bytes.size(), enough) / 2;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < 2 * pairs; ++i) zeros[i % 2] += first_bytes[i] == 0 ? 1 : 0;
  if (pairs > 1 && zeros[0] == 0 && 2 * zeros[1] > pairs) return Utf16::little_endian;
  if (pairs > 1 && zeros[1] == 0 && 2 * zeros[0] > pairs) return Utf16::big_endian;
  return std::nullopt;
}

void Utf16Decoder::unit(unsigned value, std::string& out) {
  if (high_ != 0 && is_low(value)) {
    append_utf8(0x10000 + ((high_ - 0xD800) << 10) + (value - 0xDC00), out);
    high_ = 0;
    return;
  }
  if (high_ != 0) append_utf8(replacement, out);
  high_ = is_high(value) ? value : 0;
  if (!is_high(value)) append_utf8(is_low(value) ? replacement : value, out);
}

void Utf16Decoder::decode(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (has_byte_) unit(order_ == Utf16::little_endian ? byte_ | byte << 8 : byte_ << 8 | byte, out);
    byte_ = byte;
    has_byte_ = !has_byte_;
  }
}

}  // namespace taut
