// The version of the library, the program and the packages: CMake reads it from here.
#pragma once

#include <string_view>

namespace taut {

inline constexpr std::string_view version = "0.2.0";

}  // namespace taut
