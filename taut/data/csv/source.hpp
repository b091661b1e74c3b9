// The text of a file as UTF-8, wherever it comes from and however it is packed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

// Text in other encodings as UTF-8, the only one that Taut knows inside.

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

// The text of a file, of standard input or of anything that can be opened. On the way gzip is unpacked, UTF-16 becomes UTF-8, and
// where lines end with carriage returns alone, line feeds take their place.

enum class Rereading { no, yes };

class Source {
 public:
  static constexpr std::size_t default_chunk = std::size_t{1} << 18;

  // "-" is standard input. Gzip is recognised by its first bytes, not by the file's name. With Rereading::yes, rewind() works
  // for pipes as well: what was read from them is kept in memory, as it came. `chunk`: packed bytes read at a time.
  // `prompt`: a first line is enough to find out what kind of text this is.
  explicit Source(const std::string& path, Rereading rereading = Rereading::no, std::size_t chunk = default_chunk,
                  bool prompt = false);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  // Up to `size` bytes; 0 only at the end.
  std::size_t read(char* out, std::size_t size);
  void rewind();
  // Share of a regular file that has been read; 0 for anything else.
  double done() const;
  // What was converted, in words for the user; empty when nothing was.
  std::string notice() const;

 private:
  class Packed;
  class Gzip;

  // So much is read ahead, whatever is asked for, to find out what kind of text this is.
  static constexpr std::size_t sample = std::size_t{1} << 16;

  void start();
  std::size_t read_unpacked(char* out, std::size_t size);
  void fetch_decoded();

  std::string name_;
  std::unique_ptr<Packed> packed_;
  std::unique_ptr<Gzip> gzip_;  // empty when the bytes are not packed
  std::optional<Utf16Decoder> utf16_;
  bool is_prompt_ = false;
  bool lines_end_with_returns_ = false;
  std::string ahead_;  // text to be handed out first
  std::size_t ahead_used_ = 0;
};

}  // namespace taut
