#include <taut/core/memory.hpp>

#include <taut/core/posix.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace taut {

void return_free_memory() {
  Spill::evict_all();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

namespace {

#ifdef __linux__

// The first two numbers of /proc/self/statm: pages of address space and of resident memory.
struct Pages {
  std::size_t addresses = 0, resident = 0;
};

Pages own_pages() {
  Pages pages;
  std::ifstream file("/proc/self/statm");
  if (!(file >> pages.addresses >> pages.resident)) return {};
  return pages;
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

std::optional<std::size_t> left_of_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::size_t kilobytes = 0, left = 0;
  bool known = false;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name != "MemAvailable:" && name != "SwapFree:") continue;
    left += 1024 * kilobytes;
    known |= name == "MemAvailable:";
  }
  return known ? std::optional(left) : std::nullopt;
}

// The memory left in a control group, as used by containers. Other processes of the group are not counted. The file holds "max"
// if there is no limit.
std::optional<std::size_t> left_of_group(const char* limit_file) {
  std::ifstream file(limit_file);
  std::size_t limit = 0;
  if (!(file >> limit)) return {};
  const std::size_t used = own_pages().resident * page_size();
  return limit > used ? limit - used : 1;
}

std::optional<std::size_t> left_of_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const std::size_t used = own_pages().addresses * page_size(), all = limit.rlim_cur;
  return all > used ? all - used : 1;
}

#endif

}  // namespace

std::size_t resident_bytes() {
#ifdef __linux__
  return own_pages().resident * page_size();
#else
  return 0;
#endif
}

std::size_t available_bytes() {
#ifdef __linux__
  const auto machine = left_of_machine();
  if (!machine) return 0;
  std::size_t minimum = *machine;
  const std::optional<std::size_t> limits[] = {left_of_addresses(), left_of_group("/sys/fs/cgroup/memory.max"),
                                               left_of_group("/sys/fs/cgroup/memory/memory.limit_in_bytes")};
  for (const auto& limit : limits) minimum = std::min(minimum, limit.value_or(minimum));
  return minimum;
#else
  return 0;
#endif
}

}  // namespace taut

#ifndef _WIN32
#include <sys/mman.h>
#include <sys/statvfs.h>
#endif
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

namespace taut {

namespace {

struct LiveSpills {
  std::mutex mutex;
  std::vector<const Spill*> spills;
};

LiveSpills& live_spills() {
  static LiveSpills all;
  return all;
}

#ifndef _WIN32

// An anonymous temporary file, or -1 if none can be created.
int open_anonymous() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return -1;
  std::string name = (folder / "taut-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

bool has_space(int descriptor, std::size_t bytes) {
#ifdef __linux__
  constexpr unsigned long in_memory = 0x01021994;  // TMPFS_MAGIC of linux/magic.h
  struct statfs kind {};
  if (::fstatfs(descriptor, &kind) != 0 || static_cast<unsigned long>(kind.f_type) == in_memory) return false;
#endif
  rlimit size_of_files{};  // a write beyond it raises a signal that ends the process
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
void Spill::evict() const {}

#else

std::shared_ptr<const Spill> Spill::of(std::initializer_list<std::span<const std::byte>> parts, std::size_t minimum) {
  std::size_t bytes = 0;
  for (const auto part : parts) bytes += part.size();
  if (bytes == 0 || bytes < minimum) return nullptr;
  const int descriptor = open_anonymous();
  if (descriptor < 0) return nullptr;
  void* data = MAP_FAILED;
  if (has_space(descriptor, bytes) &&
      std::all_of(parts.begin(), parts.end(), [&](auto part) { return write_all(descriptor, part); }))
    data = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);  // the mapping keeps the file
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<const Spill>(new Spill(static_cast<const std::byte*>(data), bytes));
}

Spill::~Spill() {
  LiveSpills& all = live_spills();
  const std::lock_guard lock(all.mutex);
  std::erase(all.spills, this);
  ::munmap(const_cast<std::byte*>(data_), bytes_);
}

void Spill::evict() const { (void)::madvise(const_cast<std::byte*>(data_), bytes_, MADV_DONTNEED); }

#endif

Spill::Spill(const std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {
  LiveSpills& all = live_spills();
  const std::lock_guard lock(all.mutex);
  all.spills.push_back(this);
}

void Spill::evict_all() {
  LiveSpills& all = live_spills();
  const std::lock_guard lock(all.mutex);
  for (const Spill* spill : all.spills) spill->evict();
}

}  // namespace taut
