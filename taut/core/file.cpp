#include <taut/core/file.hpp>

#include <taut/core/error.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace taut {

std::string read_whole_file(const std::string& path) {
  const auto fail = [&] { throw Error(path + ": cannot be read: " + std::strerror(errno)); };
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail();
  std::string bytes;
  char block[1 << 16];
  std::size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file)) > 0) bytes.append(block, got);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) fail();
  return bytes;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw Error(path_ + ": cannot be written: it is a folder; give a file name");
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("be opened");
    return;
  }
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary_.data());
  if (descriptor < 0) {
    temporary_.clear();
    fail("be created");
  }
  // mkstemp makes the file private; the result should have the permissions that any new file, or the old one, has.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, exists ? (status.st_mode & 07777) : (0666 & ~mask));
  file_ = ::fdopen(descriptor, "wb");
  if (file_ == nullptr) fail("be opened");
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("be written");
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("be written");
  if (file_ == stdout) return;
  // The bytes must be on the disk before the name points at them, or a power cut could leave an empty file.
  if (!temporary_.empty() && ::fsync(::fileno(file_)) != 0) fail("be written");
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail("be written");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("be put in place");
  temporary_.clear();
}

void OutputFile::fail(const std::string& doing) {
  const int reason = errno;
  std::string hint;
  if (reason == ENOENT) hint = " (the folder does not exist: create it first)";
  if (reason == ENOSPC) hint = " (the disk is full: nothing was changed)";
  const std::string message =
      (path_ == "-" ? "standard output" : path_) + ": cannot " + doing + ": " + std::strerror(reason) + hint;
  if (reason == EPIPE) throw ClosedPipe(message);
  throw Error(message);
}

}  // namespace taut
