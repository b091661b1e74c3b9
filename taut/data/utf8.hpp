// Text in other encodings as UTF-8, the only one that Taut knows inside.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

// Position of the first byte that belongs to no UTF-8 character; text.size() when there is none.
std::size_t valid_utf8(std::string_view text);

// Every byte that belongs to no UTF-8 character as the character that it is in Windows-1252 (of which Latin-1 is a part). What a
// cell becomes depends on its own bytes alone, so that a file of mixed origin is read alike in all its rows.
struct AsUtf8 {
  std::string text;
  std::size_t converted = 0;  // bytes that were not UTF-8
};
AsUtf8 with_windows_1252(std::string_view text);

enum class Utf16 { little_endian, big_endian };

// By the mark at the start, or by zero bytes in every other place.
std::optional<Utf16> utf16_of(std::string_view first_bytes);

// Piece by piece; half a character at the end of a piece waits for the next.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(Utf16 order) : order_(order) {}
  void decode(std::string_view bytes, std::string& out);
  bool is_between_characters() const { return !has_byte_ && high_ == 0; }

 private:
  void unit(unsigned value, std::string& out);

  Utf16 order_;
  bool has_byte_ = false;
  unsigned char byte_ = 0;
  unsigned high_ = 0;  // the first half of a surrogate pair
};

}  // namespace taut
