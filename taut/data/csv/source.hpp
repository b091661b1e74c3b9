// The text of a file as UTF-8, from a file or a pipe, compressed or not.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

// Position of the first byte that is not part of a valid UTF-8 character; text.size() if there is none.
std::size_t valid_utf8(std::string_view text);

// Reads every byte that is not part of a valid UTF-8 character as Windows-1252, a superset of Latin-1. The result for a cell
// depends on its own bytes alone, so that equal cells are read alike in files of mixed encoding.
struct AsUtf8 {
  std::string text;
  std::size_t converted = 0;  // bytes that were not UTF-8
};
AsUtf8 with_windows_1252(std::string_view text);

enum class Utf16 { little_endian, big_endian };

// The byte order of UTF-16 text, recognised by its byte-order mark or by zero bytes in every other position; nothing for other
// text.
std::optional<Utf16> utf16_of(std::string_view first_bytes);

// Decodes UTF-16 piece by piece. An incomplete character at the end of a piece is completed by the next piece.
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

enum class Rereading { no, yes };

// The text of a file, of standard input or of anything that can be opened. Gzip is decompressed, UTF-16 becomes UTF-8, and if all
// lines end with a carriage return alone, these become line feeds.
class Source {
 public:
  static constexpr std::size_t default_chunk = std::size_t{1} << 18;

  // "-" is standard input. Gzip is recognised by its first bytes, not by the file's name. With Rereading::yes, rewind() also
  // works for pipes: the bytes read from them are kept in memory, before decompression. `chunk`: compressed bytes read at a time.
  // `prompt`: infer the encoding from the first line, without waiting for more.
  explicit Source(const std::string& path, Rereading rereading = Rereading::no, std::size_t chunk = default_chunk,
                  bool prompt = false);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  // Up to `size` bytes; 0 only at the end.
  std::size_t read(char* out, std::size_t size);
  void rewind();
  // Share of a regular file that has been read; 0 for other sources.
  double done() const;
  // A sentence for the user about a converted encoding; empty if there is none.
  std::string notice() const;

 private:
  class Packed;
  class Gzip;

  // Bytes that are read ahead to infer the encoding.
  static constexpr std::size_t sample = std::size_t{1} << 16;

  void start();
  std::size_t read_unpacked(char* out, std::size_t size);
  void fetch_decoded();

  std::string name_;
  std::unique_ptr<Packed> packed_;
  std::unique_ptr<Gzip> gzip_;  // nullptr if the bytes are not compressed
  std::optional<Utf16Decoder> utf16_;
  bool is_prompt_ = false;
  bool lines_end_with_returns_ = false;
  std::string ahead_;  // text that was read ahead and is returned first
  std::size_t ahead_used_ = 0;
};

}  // namespace taut
