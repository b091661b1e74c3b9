#include <taut/core/memory.hpp>

#include <cstdio>
#include <cstdlib>

#ifdef __linux__
#include <unistd.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace taut {

void return_free_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::size_t resident_bytes() {
#ifdef __linux__
  std::size_t whole = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu %zu", &whole, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

}  // namespace taut
