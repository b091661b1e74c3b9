// JSON as the experiments read and write it: the only place here that knows the library.
#pragma once

#include <taut/core/text.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace taut {

using Json = nlohmann::ordered_json;

// JSON has no infinities; a resume file needs every bit, so those are texts.
inline Json exact_number(double value) { return std::isfinite(value) ? Json(value) : Json(print_number(value)); }

// For readers: null where a number is not finite.
inline Json plain_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Names from a file may not be UTF-8; JSON has to be.
inline std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }
inline std::string json_page(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace taut
