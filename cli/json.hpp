// JSON output of the commands, the only place in cli that includes the JSON library.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace taut {

using Json = nlohmann::ordered_json;

// Full precision; a whole number without a fraction, NaN and infinities as null.
inline Json json_number(double value) {
  constexpr double most_exact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) <= most_exact) return static_cast<std::int64_t>(value);
  return value;
}

// Names from a file may not be UTF-8; JSON has to be.
inline std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace taut
