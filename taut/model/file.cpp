#include <taut/model/file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>

namespace taut {

namespace {

// As in PNG: the first byte is not text, and the line ends show whether a transfer has rewritten them.
constexpr std::string_view magic("\x89TAUT\r\n\n", 8);
constexpr std::size_t head = 8 + 4 + 8;  // magic, version, payload length
constexpr std::size_t tail = 8;          // checksum of everything before it

constexpr auto crc_table = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xC96C5795D7870F42ULL : 0);
    table[byte] = crc;
  }
  return table;
}();

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T read_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t crc = ~std::uint64_t{0};
  for (const char c : bytes) crc = crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::string frame(std::string_view payload) {
  std::string bytes(magic);
  append(bytes, model_file_version);
  append<std::uint64_t>(bytes, payload.size());
  bytes += payload;
  append(bytes, checksum(bytes));
  return bytes;
}

bool is_model_file(const std::string& path) {
  std::string start(magic.size(), '\0');
  return std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start)) && start == magic;
}

std::uint64_t bytes_to_read(std::string_view start) {
  if (!start.starts_with(magic) || start.size() < head) return 0;
  const auto length = read_at<std::uint64_t>(start, magic.size() + 4);
  return length + std::min<std::uint64_t>(head + tail + 1, ~length);
}

std::uint64_t stored_checksum(std::string_view file) { return read_at<std::uint64_t>(file, file.size() - tail); }

std::uint32_t stored_version(std::string_view file) { return read_at<std::uint32_t>(file, magic.size()); }

std::string_view unframe(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw Error("not a Taut model file (it does not start with the mark of one)");
  if (bytes.size() < head + tail) throw Error("the model file is cut short: copy it again");
  const std::uint32_t version = stored_version(bytes);
  if (version < model_file_version)
    throw Error(
        format_text("the model file has format version {}, which no released Taut wrote and this one does not read: fit "
                    "the model anew",
                    version));
  if (version > model_file_version)
    throw Error(format_text("the model file has format version {}, this program reads up to {}: use a newer Taut", version,
                            model_file_version));
  const auto length = read_at<std::uint64_t>(bytes, magic.size() + 4);
  if (length != bytes.size() - head - tail)
    throw Error(length > bytes.size() - head - tail ? "the model file is cut short: copy it again"
                                                    : "the model file is longer than it says: it is damaged");
  if (checksum(bytes.substr(0, bytes.size() - tail)) != stored_checksum(bytes))
    throw Error("the model file's checksum does not fit its contents: it is damaged; copy it again or fit anew");
  return bytes.substr(head, static_cast<std::size_t>(length));
}

std::string checksum_text(std::uint64_t sum) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), sum, 16).ptr;
  const std::string text(digits.data(), end);
  return std::string(digits.size() - text.size(), '0') + text;
}

}  // namespace taut
