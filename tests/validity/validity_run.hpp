// What all tests of the guarantee share: how long they run, and small helpers.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace taut::testing {

inline const ExecutionContext one_thread{.threads = 1};

// Whether TAUT_VALIDATE asks for this form of the tests: "brief" or "long".
inline bool is_validation(std::string_view form) {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && asked == form;
}

inline Index repeats(Index usual, Index times_if_long) { return is_validation("long") ? times_if_long * usual : usual; }

inline double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace taut::testing
