// Deliberate faults, to check that the tests of the coverage guarantee detect them (tests/validity/faults.py). A test program
// compiled with TAUT_FAULTS commits the fault that the environment variable TAUT_FAULT names. In all other builds fault() is
// false at compile time.
#pragma once

#include <string_view>
#ifdef TAUT_FAULTS
#include <cstdlib>
#endif

namespace taut {

#ifdef TAUT_FAULTS
static inline bool fault(std::string_view name) {
  static const char* const chosen = std::getenv("TAUT_FAULT");
  return chosen != nullptr && name == chosen;
}
#else
static constexpr bool fault(std::string_view) { return false; }
#endif

}  // namespace taut
