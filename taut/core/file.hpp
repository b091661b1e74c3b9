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
// As much of the file as is worth reading: `size_of` tells from its first bytes how many that are. A file that is something else
// altogether, or endless, then costs neither time nor memory.
std::string read_file(const std::string& path, const std::function<std::uint64_t(std::string_view start)>& size_of);

// Whoever read our output has gone: a reason to end quietly, not to complain.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

// A file being written. It takes its name only in commit(); without commit (an error, an interrupt) what stood at `path` stays
// and nothing is left behind. Where the file system can, the file has no name at all until then, so that not even a killed
// process leaves one; elsewhere it is a neighbour, path.PROCESS-NUMBER. "-" is standard output. A path that exists and is no
// regular file (a pipe, a device) is written to directly.
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
  int open_neighbour();
  std::string neighbour(int taken) const;
  void become_neighbour();
  [[noreturn]] void fail(const std::string& doing);

  std::string path_;
  std::string temporary_;     // a neighbour's name; empty when there is none
  bool is_nameless_ = false;  // so far
  std::FILE* file_ = nullptr;
};

}  // namespace taut
