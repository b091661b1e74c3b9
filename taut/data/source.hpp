// The text of a file, of standard input or of anything that can be opened. On the way gzip is unpacked, UTF-16 becomes UTF-8, and
// where lines end with carriage returns alone, line feeds take their place.
#pragma once

#include <taut/data/utf8.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace taut {

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
