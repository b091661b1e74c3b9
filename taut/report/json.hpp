// JSON for the .cpp files of this module. Numbers for charts are rounded; numbers that a reader sees or compares are not.
#pragma once

#include <taut/core/text.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace taut {

using Json = nlohmann::ordered_json;

// Returns ASCII. JSON must be UTF-8, but names from a file may be invalid: such bytes are replaced.
inline std::string document_text(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

// NaN and infinities become null.
inline Json exact_json(double value) {
  constexpr double max_exact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) <= max_exact) return static_cast<std::int64_t>(value);
  return value;
}

inline Json rounded_json(double value, int digits = 5) {
  return std::isfinite(value) ? exact_json(*parse_number(print_rounded(value, digits))) : Json();
}

template <class Values>
Json exact_json_of(const Values& values) {
  Json json = Json::array();
  for (const auto value : values) json.push_back(exact_json(static_cast<double>(value)));
  return json;
}

template <class Values>
Json rounded_json_of(const Values& values, int digits = 5) {
  Json json = Json::array();
  for (const double value : values) json.push_back(rounded_json(value, digits));
  return json;
}

}  // namespace taut
