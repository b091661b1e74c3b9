// Files that appear whole or not at all.
#pragma once

#include <taut/core/error.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace taut {

// Everything in the file, or an Error that says why not.
std::string read_whole_file(const std::string& path);
// Reads the file in blocks until it has as many bytes as `size_of` asks for, given the first block. So a file of another kind, or
// an endless one, costs neither time nor memory.
std::string read_file(const std::string& path, const std::function<std::uint64_t(std::string_view start)>& size_of);

// The reader of our output has closed it: a reason to end quietly, not an error to report.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

// A file being written. It appears at `path` only in commit(); without commit (an error, an interrupt) an earlier file there
// stays as it was and nothing is left behind. Where the file system allows it the file has no name until then, so that not even a
// killed process leaves one; elsewhere it has a temporary one, path.PROCESS-NUMBER. "-" is standard output. A path that exists
// and is no regular file (a pipe, a device) is written to directly.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

  // Called before anything goes to standard output, so that a program can clear the line on which it shows its progress.
  static void call_before_standard_output(std::function<void()> call);

 private:
  int open_nameless();
  int open_named();
  std::string temporary_name(int attempt) const;
  void take_temporary_name();
  [[noreturn]] void fail(const std::string& doing);

  std::string path_;
  std::string temporary_;     // its name until commit(); empty when there is none
  bool is_nameless_ = false;  // so far
  std::FILE* file_ = nullptr;
};

}  // namespace taut
