// Preloaded into the program by crash_test.py. It kills the program right before the N-th of the calls by which files are written
// (N is TAUT_KILL_BEFORE_CALL of the environment), so that a test can try every moment.
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

void count_call() {
  static long left = std::atol(std::getenv("TAUT_KILL_BEFORE_CALL"));
  if (--left == 0) ::kill(::getpid(), SIGKILL);
}

template <class Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// The functions of the C library with these names are called through these.
#define PASS_ON(result, name, parameters, arguments)                   \
  extern "C" result name parameters {                                  \
    count_call();                                                      \
    static auto* const real = next<result parameters>(nullptr, #name); \
    return real arguments;                                             \
  }

PASS_ON(std::size_t, fwrite, (const void* from, std::size_t size, std::size_t count, std::FILE* file), (from, size, count, file))
PASS_ON(int, fflush, (std::FILE * file), (file))
PASS_ON(int, fsync, (int descriptor), (descriptor))
PASS_ON(int, linkat, (int from_folder, const char* from, int to_folder, const char* to, int flags),
        (from_folder, from, to_folder, to, flags))
PASS_ON(int, rename, (const char* from, const char* to), (from, to))
PASS_ON(int, fclose, (std::FILE * file), (file))

extern "C" int open(const char* path, int flags, ...) {
  if ((flags & O_ACCMODE) != O_RDONLY) count_call();
  static auto* const real = next<int(const char*, int, ...)>(nullptr, "open");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return real(path, flags, mode);
}
