// Memory between the stages of a fit.
#pragma once

namespace taut {

// Returns freed memory to the system, where the C library offers that. Otherwise the library keeps what a thread freed in one
// stage for that thread, and another thread, which needs as much in the next stage, allocates it again.
void return_free_memory();

}  // namespace taut
