// Memory between the stages of a fit.
#pragma once

#include <cstddef>

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

}  // namespace taut
