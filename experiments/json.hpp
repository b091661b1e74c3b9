// JSON of the experiments. Only this header includes the JSON library.
#pragma once

#include <taut/core/text.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace taut {

using Json = nlohmann::ordered_json;

// For resume files, which need every bit. JSON has no infinities and no NaN, so these are written as strings.
inline Json exact_number(double value) { return std::isfinite(value) ? Json(value) : Json(print_number(value)); }

// For output: null if a number is not finite.
inline Json plain_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// JSON must be UTF-8. Names from a file may be invalid UTF-8, so invalid bytes are replaced.
inline std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }
inline std::string json_page(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace taut
