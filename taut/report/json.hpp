// The report's document, for the .cpp files of this room. Numbers that are drawn are rounded, numbers that are read or compared
// are not.
#pragma once

#include <taut/core/text.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace taut {

using Json = nlohmann::ordered_json;

// ASCII whatever the texts hold; names from a file may not be UTF-8, which JSON has to be.
inline std::string document_text(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

// NaN and infinities become null.
inline Json exact_json(double value) {
  constexpr double most_exact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) <= most_exact) return static_cast<std::int64_t>(value);
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
