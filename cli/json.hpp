// JSON output of the commands, the only place in cli that includes the JSON library.
#pragma once

#include <taut/core/value.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <type_traits>

namespace taut {

using Json = nlohmann::ordered_json;

// Full precision; a whole number without a fraction, NaN and infinities as null.
inline Json json_number(double value) {
  constexpr double max_exact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) <= max_exact) return static_cast<std::int64_t>(value);
  return value;
}

inline Json json_of(const Value& value) {
  return value.visit([]<class T>(const T& content) -> Json {
    if constexpr (std::is_same_v<T, std::monostate>) {
      return {};
    } else if constexpr (std::is_same_v<T, double>) {
      return json_number(content);
    } else if constexpr (std::is_same_v<T, Matrix>) {
      Json rows = Json::array();
      for (Index row = 0; row < content.rows(); ++row) {
        Json cells = Json::array();
        for (Index column = 0; column < content.cols(); ++column) cells.push_back(json_number(content(row, column)));
        rows.push_back(std::move(cells));
      }
      return rows;
    } else if constexpr (std::is_same_v<T, Value::List>) {
      Json list = Json::array();
      for (const Value& item : content) list.push_back(json_of(item));
      return list;
    } else if constexpr (std::is_same_v<T, Value::Object>) {
      Json object = Json::object();
      for (std::size_t i = 0; i < content.names.size(); ++i) object[content.names[i]] = json_of(content.values[i]);
      return object;
    } else {
      return content;
    }
  });
}

// JSON must be UTF-8. Names from a file may be invalid UTF-8, so invalid bytes are replaced.
inline std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace taut
