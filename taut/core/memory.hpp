// Memory between the stages of a fit.
#pragma once

namespace taut {

// Hands memory that was freed back to the system, where the C library can be asked to. Otherwise it keeps what the threads of one
// stage have freed, and the next stage, on threads of its own, takes as much again.
void return_free_memory();

}  // namespace taut
