// Reads rows of floats from a file that a script has written.
#pragma once

#include <taut/core/file.hpp>
#include <taut/core/types.hpp>

#include <cstring>
#include <string>

namespace taut {

inline MatrixF read_floats(const char* path, Index columns) {
  const std::string bytes = read_whole_file(path);
  MatrixF rows(static_cast<Index>(bytes.size() / sizeof(float)) / columns, columns);
  std::memcpy(rows.data(), bytes.data(), static_cast<std::size_t>(rows.size()) * sizeof(float));
  return rows;
}

}  // namespace taut
