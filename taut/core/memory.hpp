// Memory between the stages of a fit: it is returned to the system or moved to a temporary file.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>

namespace taut {

// Returns freed memory to the system, if the C library can do that. Without this, the C library reserves what a thread freed in
// one stage for that thread, and another thread allocates the same amount again in the next stage. Evicts all Spills as well.
void return_free_memory();

// The resident memory of this process in bytes; 0 if the system does not report it.
std::size_t resident_bytes();

// The bytes that this process may still allocate: what the machine has left, swap included, or less if the process or its
// control group has a limit. 0 if the system does not report it.
std::size_t available_bytes();

// A copy of some bytes in an anonymous temporary file, which disappears however the process ends. The file is mapped into
// memory: pages are loaded when they are read, and leave memory by evict() or when the system needs memory. This is for data
// that are read a few times in a long computation.
class Spill {
 public:
  // Fewer bytes stay in memory.
  static constexpr std::size_t min_bytes = std::size_t{1} << 24;

  // A copy of the parts, concatenated. Returns nullptr if they should stay in memory: they have fewer than `minimum` bytes, the
  // system has no such files, or the folder for temporary files ($TMPDIR) is itself in memory, is not writable, or has less than
  // twice the space needed.
  static std::shared_ptr<const Spill> of(std::initializer_list<std::span<const std::byte>> parts,
                                         std::size_t minimum = min_bytes);
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  const std::byte* data() const { return data_; }
  // Evicts all pages from memory until they are read again. Other threads may read them at the same time.
  void evict() const;
  // Calls evict() for every Spill of this process.
  static void evict_all();

 private:
  Spill(const std::byte* data, std::size_t bytes);

  const std::byte* data_;
  std::size_t bytes_;
};

}  // namespace taut
