#include <taut/data/csv/source.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/posix.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace taut {

namespace {

// "; did you mean 'houses.csv'?" if another file in the folder has a similar name.
std::string similar_file(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path wanted(path);
  std::vector<std::string> neighbours;
  std::error_code ignored;
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end && neighbours.size() < 1000; it.increment(ignored))
    neighbours.push_back(it->path().filename().string());
  std::sort(neighbours.begin(), neighbours.end());
  const auto guess = nearest_name(wanted.filename().string(), neighbours);
  if (!guess) return "; check the name and the folder";
  return format_text("; did you mean '{}'?", wanted.has_parent_path() ? (folder / *guess).string() : *guess);
}

}  // namespace

// The stored bytes. The first few can be read ahead, to recognise gzip.
class Source::Packed {
 public:
  Packed(const std::string& path, const std::string& name, Rereading rereading) : name_(name) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == ENOENT) throw Error(format_text("{}: there is no such file{}", name_, similar_file(path)));
    if (descriptor_ < 0) throw Error(format_text("{}: cannot be opened: {}", name_, std::strerror(errno)));
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0) {
      if (S_ISDIR(status.st_mode)) {
        close();
        throw Error(name_ + ": this is a folder; give the name of a file in it");
      }
      // Standard input may be a regular file that another process has read in part: it must not be rewound to its start.
      if (S_ISREG(status.st_mode) && ::lseek(descriptor_, 0, SEEK_CUR) == 0) size_ = status.st_size;
    }
    keeps_ = size_ < 0 && rereading == Rereading::yes;
  }
  ~Packed() { close(); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  std::size_t read(char* out, std::size_t size) {
    if (next_kept_ < kept_.size()) {
      const std::size_t count = std::min(size, kept_.size() - next_kept_);
      std::memcpy(out, kept_.data() + next_kept_, count);
      next_kept_ += count;
      return count;
    }
    const std::size_t count = read_descriptor(out, size);
    if (keeps_) {
      kept_.append(out, count);
      next_kept_ = kept_.size();
    }
    return count;
  }

  // To be called before the first read.
  bool starts_with(std::string_view magic) {
    while (kept_.size() < magic.size()) {
      char byte = 0;
      if (read_descriptor(&byte, 1) == 0) break;
      kept_ += byte;
    }
    return std::string_view(kept_).starts_with(magic);
  }

  void rewind() {
    next_kept_ = 0;
    if (size_ < 0 && !keeps_) throw Error(name_ + ": cannot be read twice");
    if (keeps_) return;
    kept_.clear();
    read_ = 0;
    if (::lseek(descriptor_, 0, SEEK_SET) != 0)
      throw Error(format_text("{}: cannot be read again: {}", name_, std::strerror(errno)));
  }

  double done() const { return size_ > 0 ? std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)) : 0.0; }

 private:
  std::size_t read_descriptor(char* out, std::size_t size) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) {
        read_ += got;
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) throw Error(format_text("{}: cannot be read: {}", name_, std::strerror(errno)));
    }
  }
  void close() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
    descriptor_ = -1;
  }

  std::string name_;
  int descriptor_ = -1;
  off_t size_ = -1;  // of a regular file read from its start
  off_t read_ = 0;
  bool keeps_ = false;
  std::string kept_;  // bytes to be returned before the descriptor is read again
  std::size_t next_kept_ = 0;
};

class Source::Gzip {
 public:
  Gzip(Packed& packed, const std::string& name, std::size_t chunk) : packed_(packed), name_(name), input_(chunk) { start(); }
  ~Gzip() { ::inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  // A gzip file is a sequence of members, each with its own checksum.
  std::size_t read(char* out, std::size_t size) {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !fetch()) {
        if (between_members_) return 0;
        throw Error(name_ + ": the gzip data end too early: the file is damaged or was not copied completely; get it again");
      }
      if (between_members_ && ::inflateReset(&stream_) != Z_OK) damaged();
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) damaged();
      between_members_ = result == Z_STREAM_END;
    }
    return wanted - stream_.avail_out;
  }

 private:
  static constexpr int gzip_window = 15 + 16;  // asks zlib for gzip headers and checksums

  void start() {
    if (::inflateInit2(&stream_, gzip_window) != Z_OK) throw Error(name_ + ": zlib cannot be started");
  }
  bool fetch() {
    const std::size_t got = packed_.read(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }
  [[noreturn]] void damaged() const {
    throw Error(format_text("{}: the gzip data are damaged ({}); get the file again, or decompress it and use what can be saved",
                            name_, stream_.msg != nullptr ? stream_.msg : "no further detail"));
  }

  Packed& packed_;
  const std::string& name_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;
};

Source::Source(const std::string& path, Rereading rereading, std::size_t chunk, bool prompt)
    : name_(path == "-" ? "standard input" : path),
      packed_(std::make_unique<Packed>(path, name_, rereading)),
      is_prompt_(prompt) {
  if (packed_->starts_with("\x1f\x8b")) gzip_ = std::make_unique<Gzip>(*packed_, name_, chunk);
  start();
}

Source::~Source() = default;

// In a text without line feeds, a carriage return that is not the last character ends a line.
static bool has_lone_return(std::string_view text) {
  const auto at = text.find('\r');
  return at != std::string_view::npos && at + 1 < text.size();
}

void Source::start() {
  ahead_.resize(sample);
  ahead_used_ = 0;
  std::size_t size = 0;
  while (size < sample) {
    const std::size_t got = read_unpacked(ahead_.data() + size, sample - size);
    if (got == 0) break;
    size += got;
    if (is_prompt_ && std::memchr(ahead_.data(), '\n', size) != nullptr) break;
  }
  ahead_.resize(size);
  utf16_.reset();
  if (const auto order = utf16_of(ahead_)) {
    utf16_.emplace(*order);
    std::string text;
    utf16_->decode(ahead_, text);
    ahead_ = std::move(text);
  }
  lines_end_with_returns_ = ahead_.find('\n') == std::string::npos && has_lone_return(ahead_);
}

std::size_t Source::read_unpacked(char* out, std::size_t size) {
  return gzip_ ? gzip_->read(out, size) : packed_->read(out, size);
}

void Source::fetch_decoded() {
  std::string bytes(default_chunk, '\0');
  ahead_.clear();
  ahead_used_ = 0;
  while (ahead_.empty()) {
    const std::size_t got = read_unpacked(bytes.data(), bytes.size());
    if (got == 0) break;
    utf16_->decode({bytes.data(), got}, ahead_);
  }
  if (ahead_.empty() && !utf16_->is_between_characters())
    throw Error(name_ +
                ": the UTF-16 text ends inside a character: the file is damaged or was not copied completely; get it again");
}

std::size_t Source::read(char* out, std::size_t size) {
  if (ahead_used_ == ahead_.size() && utf16_) fetch_decoded();
  std::size_t count = std::min(size, ahead_.size() - ahead_used_);
  if (count > 0) {
    std::memcpy(out, ahead_.data() + ahead_used_, count);
    ahead_used_ += count;
  } else if (!utf16_) {
    count = read_unpacked(out, size);
  }
  if (lines_end_with_returns_) std::replace(out, out + count, '\r', '\n');
  return count;
}

void Source::rewind() {
  packed_->rewind();
  if (gzip_) gzip_ = std::make_unique<Gzip>(*packed_, name_, default_chunk);
  start();
}

double Source::done() const { return packed_->done(); }

std::string Source::notice() const { return utf16_ ? name_ + ": this is UTF-16; it was read as such" : ""; }

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

// The size in bytes of the UTF-8 character at `at`; 0 if it is invalid: overlong, a surrogate, above U+10FFFF, or cut.
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

// The code points of the bytes 0x80 to 0x9F; all others equal Unicode. Five bytes are unused and map to themselves.
constexpr std::array<std::uint16_t, 32> windows_1252 = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

constexpr unsigned replacement = 0xFFFD;  // replaces an unpaired surrogate
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

// Without a byte-order mark: in text of Latin letters most units have a zero in the same byte, and none in the other byte.
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
