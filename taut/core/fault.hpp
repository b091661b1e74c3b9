// Mistakes on purpose. A test program is compiled with TAUT_FAULTS and makes the one that the environment variable TAUT_FAULT
// names, so that it can be seen that the tests of the guarantee object (tests/validity/faults.py). Anywhere else there are none,
// and the compiler drops the question.
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
