// Memory between the stages of a fit.
#pragma once

namespace taut {

// Hands memory that was freed back to the system, where the C library can be asked to. Otherwise it keeps for each thread what
// that thread has freed in one stage, and in the next stage another thread, which needs as much, takes it anew.
void return_free_memory();

}  // namespace taut
