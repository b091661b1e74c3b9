#include <taut/core/spill.hpp>

#include <taut/core/posix.hpp>

#ifndef _WIN32
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#endif
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace taut {

namespace {

struct Alive {
  std::mutex mutex;
  std::vector<const Spill*> spills;
};

Alive& alive() {
  static Alive all;
  return all;
}

#ifndef _WIN32

// -1: none.
int open_nameless() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return -1;
  std::string name = (folder / "taut-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

bool has_room(int descriptor, std::size_t bytes) {
#ifdef __linux__
  constexpr unsigned long in_memory = 0x01021994;  // tmpfs, by linux/magic.h
  struct statfs kind {};
  if (::fstatfs(descriptor, &kind) != 0 || static_cast<unsigned long>(kind.f_type) == in_memory) return false;
#endif
  rlimit size_of_files{};  // beyond it a write is a signal that ends the process
  if (::getrlimit(RLIMIT_FSIZE, &size_of_files) != 0 ||
      (size_of_files.rlim_cur != RLIM_INFINITY && size_of_files.rlim_cur < bytes))
    return false;
  struct statvfs disk {};
  if (::fstatvfs(descriptor, &disk) != 0) return false;
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) >= 2 * static_cast<double>(bytes);
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  constexpr std::size_t at_once = std::size_t{1} << 28;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), at_once));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

#endif

}  // namespace

#ifdef _WIN32

std::shared_ptr<const Spill> Spill::of(std::initializer_list<std::span<const std::byte>>, std::size_t) { return nullptr; }
Spill::~Spill() = default;
void Spill::let_rest() const {}

#else

std::shared_ptr<const Spill> Spill::of(std::initializer_list<std::span<const std::byte>> parts, std::size_t least) {
  std::size_t bytes = 0;
  for (const auto part : parts) bytes += part.size();
  if (bytes == 0 || bytes < least) return nullptr;
  const int descriptor = open_nameless();
  if (descriptor < 0) return nullptr;
  void* data = MAP_FAILED;
  if (has_room(descriptor, bytes) &&
      std::all_of(parts.begin(), parts.end(), [&](auto part) { return write_all(descriptor, part); }))
    data = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);  // the mapping holds the file
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<const Spill>(new Spill(static_cast<const std::byte*>(data), bytes));
}

Spill::~Spill() {
  Alive& all = alive();
  const std::lock_guard lock(all.mutex);
  std::erase(all.spills, this);
  ::munmap(const_cast<std::byte*>(data_), bytes_);
}

void Spill::let_rest() const { (void)::madvise(const_cast<std::byte*>(data_), bytes_, MADV_DONTNEED); }

#endif

Spill::Spill(const std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {
  Alive& all = alive();
  const std::lock_guard lock(all.mutex);
  all.spills.push_back(this);
}

void Spill::let_all_rest() {
  Alive& all = alive();
  const std::lock_guard lock(all.mutex);
  for (const Spill* spill : all.spills) spill->let_rest();
}

}  // namespace taut
