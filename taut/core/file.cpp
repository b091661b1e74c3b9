#include <taut/core/file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/posix.hpp>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>

namespace taut {

namespace {

constexpr mode_t new_file_mode = 0666;  // the system applies the user's umask

std::function<void()>& before_standard_output() {
  static std::function<void()> call;
  return call;
}

}  // namespace

std::string read_whole_file(const std::string& path) {
  return read_file(path, [](std::string_view) { return std::numeric_limits<std::uint64_t>::max(); });
}

std::string read_file(const std::string& path, const std::function<std::uint64_t(std::string_view)>& size_of) {
  const auto fail = [&] { throw Error(format_text("{}: cannot be read: {}", path, std::strerror(errno))); };
  const auto close = [](std::FILE* open) { std::fclose(open); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail();
  std::string bytes;
  char block[1 << 16];
  std::size_t got = 0;
  std::uint64_t wanted = 1;
  while (bytes.size() < wanted && (got = std::fread(block, 1, sizeof block, file.get())) > 0) {
    if (bytes.empty()) wanted = size_of({block, got});
    bytes.append(block, got);
  }
  if (std::ferror(file.get()) != 0) fail();
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
  int descriptor = open_anonymous();
  if (descriptor < 0) descriptor = open_named();
  if (descriptor < 0) fail("be created");
  // A file that is replaced keeps its permissions.
  if (exists) posix::keep_permissions(descriptor, status.st_mode);
  file_ = ::fdopen(descriptor, "wb");
  if (file_ == nullptr) fail("be opened");
}

// Returns -1 if the file system has no anonymous files, or if there is no /proc, which is needed to name such a file later.
int OutputFile::open_anonymous() {
#ifdef O_TMPFILE
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  const auto slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, new_file_mode);
  is_anonymous_ = descriptor >= 0;
  return descriptor;
#else
  return -1;
#endif
}

// This does not use mkstemp, whose files only the owner may read. To grant the usual permissions afterwards one would need the
// umask, which can only be read by changing it for all threads.
int OutputFile::open_named() {
  for (int attempt = 0;; ++attempt) {
    const std::string name = temporary_name(attempt);
    const int descriptor = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, new_file_mode);
    if (descriptor >= 0) temporary_ = name;
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}

std::string OutputFile::temporary_name(int attempt) const {
  return path_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt);
}

// A link cannot replace an existing file, but a rename can. So the file gets a temporary name first and is renamed afterwards.
void OutputFile::take_temporary_name() {
#ifdef O_TMPFILE
  const std::string open_file = "/proc/self/fd/" + std::to_string(::fileno(file_));
  for (int attempt = 0;; ++attempt) {
    const std::string name = temporary_name(attempt);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) fail("be put in place");
  }
#endif
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::call_before_standard_output(std::function<void()> call) { before_standard_output() = std::move(call); }

void OutputFile::write(std::string_view bytes) {
  if (file_ == stdout && before_standard_output()) before_standard_output()();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("be written");
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("be written");
  if (file_ == stdout) return;
  // The bytes must be on the disk before the name points at them, or a power cut could leave an empty file.
  if ((is_anonymous_ || !temporary_.empty()) && posix::sync(::fileno(file_)) != 0) fail("be written");
  if (is_anonymous_) take_temporary_name();
  if (!temporary_.empty() && posix::replace(temporary_.c_str(), path_.c_str()) != 0) fail("be put in place");
  temporary_.clear();
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail("be written");
}

void OutputFile::fail(const std::string& doing) {
  const int reason = errno;
  std::string hint;
  if (reason == ENOENT) hint = " (the folder does not exist: create it first)";
  if (reason == ENOSPC || reason == EDQUOT) hint = " (the disk is full: nothing was changed)";
  if (reason == EFBIG) hint = " (the limit of file sizes is too low, see ulimit -f: nothing was changed)";
  const std::string message =
      format_text("{}: cannot {}: {}{}", path_ == "-" ? "standard output" : path_, doing, std::strerror(reason), hint);
  if (reason == EPIPE) throw ClosedPipe(message);
  throw Error(message);
}

}  // namespace taut
