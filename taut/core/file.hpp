// Files that appear whole or not at all.
#pragma once

#include <taut/core/error.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace taut {

// Everything in the file, or an Error that says why not.
std::string read_whole_file(const std::string& path);

// Whoever read our output has gone: a reason to end quietly, not to complain.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

// A file being written. It goes to a temporary neighbour and takes its name only in commit(); without commit (an error, an
// interrupt) the temporary goes away and what stood at `path` stays. "-" is standard output. A path that exists and is no
// regular file (a pipe, a device) is written to directly.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const std::string& doing);

  std::string path_;
  std::string temporary_;  // empty when writing directly
  std::FILE* file_ = nullptr;
};

}  // namespace taut
