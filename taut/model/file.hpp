// The model file's frame: magic, version, length and checksum around the archive. docs/model-file.md is its specification.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace taut {

inline constexpr std::uint32_t model_file_version = 2;

std::string frame(std::string_view payload);
// Whether the file begins like a model file.
bool is_model_file(const std::string& path);
// The number of bytes to read of a file that begins with `start`: one more than it declares, so that unframe() detects a file
// that is too long.
std::uint64_t bytes_to_read(std::string_view start);
// The payload. Throws Error if a check of the bytes fails.
std::string_view unframe(std::string_view bytes);
// CRC-64/XZ. A file ends with the checksum of everything before it; `info` shows it.
std::uint64_t checksum(std::string_view bytes);
std::uint64_t stored_checksum(std::string_view file);
std::uint32_t stored_version(std::string_view file);  // of the format
std::string checksum_text(std::uint64_t sum);         // sixteen hexadecimal digits

}  // namespace taut
