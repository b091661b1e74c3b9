// The bytes of a file, of standard input or of anything that can be opened; gzip is unpacked on the way.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace taut {

enum class Rereading { no, yes };

class Source {
 public:
  static constexpr std::size_t default_chunk = std::size_t{1} << 18;

  // "-" is standard input. Gzip is recognised by its first bytes, not by the file's name. With Rereading::yes, rewind() works
  // for pipes as well: what was read from them is kept in memory, as it came. `chunk`: packed bytes read at a time.
  explicit Source(const std::string& path, Rereading rereading = Rereading::no, std::size_t chunk = default_chunk);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  // Up to `size` bytes; 0 only at the end.
  std::size_t read(char* out, std::size_t size);
  void rewind();
  // Share of a regular file that has been read; 0 for anything else.
  double done() const;

 private:
  class Packed;
  class Gzip;

  std::string name_;
  std::unique_ptr<Packed> packed_;
  std::unique_ptr<Gzip> gzip_;  // empty when the bytes are not packed
};

}  // namespace taut
