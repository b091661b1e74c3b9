// Reading whole files, and writing files atomically: they appear complete or not at all.
#pragma once

#include <taut/core/error.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace taut {

// The content of the file. Throws Error if it cannot be read.
std::string read_whole_file(const std::string& path);
// Calls `size_of` with the first block of the file and reads on until at least that many bytes are read. So a file of another
// kind, or an endless one, costs neither time nor memory.
std::string read_file(const std::string& path, const std::function<std::uint64_t(std::string_view start)>& size_of);

// The reader of our output has closed the pipe: the program ends without a message.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

// A file being written. It appears at `path` only in commit(). Without commit() (an error, an interrupt) an existing file stays
// unchanged and no other file is left behind. If the file system allows it, the file is anonymous until commit(), so that not
// even a killed process leaves one. Otherwise it has a temporary name, path.PROCESS-NUMBER. "-" is standard output. A path that
// exists and is not a regular file (a pipe, a device) is written to directly.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

  // Sets a function that is called before each write to standard output, so that a program can clear its progress line.
  static void call_before_standard_output(std::function<void()> call);

 private:
  int open_anonymous();
  int open_named();
  std::string temporary_name(int attempt) const;
  void take_temporary_name();
  [[noreturn]] void fail(const std::string& doing);

  std::string path_;
  std::string temporary_;      // the temporary name, or empty if there is none
  bool is_anonymous_ = false;  // whether the file had no name when it was opened
  std::FILE* file_ = nullptr;
};

}  // namespace taut
