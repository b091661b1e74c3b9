// POSIX file functions on every system. Windows has most of them under other names; the missing ones are replaced here. So code
// that writes files does not need to distinguish the systems.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#ifdef _WIN32

#include <io.h>
#include <process.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#ifndef O_CLOEXEC
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#endif
#ifndef STDIN_FILENO
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#endif
#ifndef S_ISDIR
#define S_ISDIR(mode) (((mode)&_S_IFMT) == _S_IFDIR)
#define S_ISREG(mode) (((mode)&_S_IFMT) == _S_IFREG)
#endif
#ifndef S_ISFIFO
#define S_ISFIFO(mode) (((mode)&_S_IFMT) == _S_IFIFO)
#endif
#ifndef EDQUOT
#define EDQUOT ENOSPC
#endif
#ifdef _MSC_VER
using ssize_t = long long;
using mode_t = int;
#endif

namespace taut::posix {

inline int sync(int descriptor) { return ::_commit(descriptor); }
inline void keep_permissions(int, unsigned) {}  // Windows inherits them from the folder

// Reads the first bytes without moving the file position.
inline ssize_t read_start(int descriptor, void* out, std::size_t size) {
  const auto place = ::_lseeki64(descriptor, 0, SEEK_CUR);
  ::_lseeki64(descriptor, 0, SEEK_SET);
  const auto got = ::_read(descriptor, out, static_cast<unsigned>(size));
  ::_lseeki64(descriptor, place, SEEK_SET);
  return got;
}

// rename() of Windows refuses to replace a file.
inline int replace(const char* from, const char* to) {
  std::error_code failed;
  std::filesystem::rename(from, to, failed);
  if (failed) errno = failed.value();
  return failed ? -1 : 0;
}

}  // namespace taut::posix

#else

#include <unistd.h>

namespace taut::posix {

inline int sync(int descriptor) { return ::fsync(descriptor); }
inline void keep_permissions(int descriptor, mode_t mode) { (void)::fchmod(descriptor, mode & 07777); }
inline ssize_t read_start(int descriptor, void* out, std::size_t size) { return ::pread(descriptor, out, size, 0); }
inline int replace(const char* from, const char* to) { return ::rename(from, to); }

}  // namespace taut::posix

#endif
