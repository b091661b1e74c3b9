// Memory between the stages of a fit: returned to the system, or moved to a temporary file.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>

namespace taut {

// Returns freed memory to the system, where the C library offers that. Otherwise the library keeps what a thread freed in one
// stage for that thread, and another thread, which needs as much in the next stage, allocates it again. What rests in files
// (Spill) leaves memory as well.
void return_free_memory();

// What this process holds of the machine's memory, in bytes; 0 where the system does not say.
std::size_t resident_bytes();

// What this process may still take: what the machine has left, swap included, or less where the process or its control group is
// limited. 0 where the system does not say.
std::size_t available_bytes();

// Numbers that are read a few times in a long computation, and rest in a file meanwhile.

// A copy of some bytes in a temporary file without a name, so that nothing is left behind, however the process ends. They look
// like memory: pages come in as they are read, and go out by let_rest() or when the system needs room.
class Spill {
 public:
  // From so many bytes on it is worth while.
  static constexpr std::size_t least_bytes = std::size_t{1} << 24;

  // The parts one behind the other. Empty where they had better stay in memory: they are few, the system has no such files, the
  // folder for temporary files ($TMPDIR) is itself in memory, cannot be written to, or would be more than half full of them.
  static std::shared_ptr<const Spill> of(std::initializer_list<std::span<const std::byte>> parts,
                                         std::size_t least = least_bytes);
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  const std::byte* data() const { return data_; }
  // All pages leave memory until they are read again, which other threads may do at the same time.
  void let_rest() const;
  // The same for all that there are in this process.
  static void let_all_rest();

 private:
  Spill(const std::byte* data, std::size_t bytes);

  const std::byte* data_;
  std::size_t bytes_;
};

}  // namespace taut
