#include <taut/core/memory.hpp>

#include <taut/core/spill.hpp>

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
  Spill::let_all_rest();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

namespace {

#ifdef __linux__

// The two numbers of /proc/self/statm: pages of addresses, and of memory.
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

// Of a control group, as containers have them, whose other processes are not counted. "max" is no limit.
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
  std::size_t least = *machine;
  const std::optional<std::size_t> limits[] = {
      left_of_addresses(), left_of_group("/sys/fs/cgroup/memory.max"),
      left_of_group("/sys/fs/cgroup/memory/memory.limit_in_bytes")};
  for (const auto& limit : limits) least = std::min(least, limit.value_or(least));
  return least;
#else
  return 0;
#endif
}

}  // namespace taut
