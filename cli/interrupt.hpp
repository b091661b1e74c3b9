// Ctrl-C as a flag that long work polls, so that nothing is left half done.
#pragma once

namespace taut {

void watch_for_interrupts();
// The signal that asked us to stop, or 0.
int interrupt();

}  // namespace taut
