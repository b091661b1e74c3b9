// The whole model file as JSON: scopes become objects, arrays become lists. Numbers keep every bit; NaN and infinities are texts.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/model/file.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>

namespace taut {

std::string json_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      result += buffer;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

namespace {

std::string json_value(double value) {
  if (std::isfinite(value)) return print_number(value);
  return std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
}
std::string json_value(float value) {
  if (!std::isfinite(value)) return json_value(static_cast<double>(value));
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}
std::string json_value(std::integral auto value) { return std::to_string(value); }
std::string json_value(const std::string& text) { return json_string(text); }

template <class Items>
std::string json_list(const Items& items) {
  std::string text = "[";
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::ssize(items)); ++i)
    text += (i == 0 ? "" : ", ") + json_value(items[i]);
  return text + "]";
}

template <class T>
std::string json_value(const std::vector<T>& values) {
  return json_list(values);
}
template <class T>
std::string json_value(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>& matrix) {
  std::string text = "[";
  for (Index row = 0; row < matrix.rows(); ++row)
    text +=
        (row == 0 ? "" : ", ") + json_list(std::span<const T>(matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())));
  return text + "]";
}

template <std::size_t Tag = 0>
std::string value_as_json(const Archive& archive, const std::string& name) {
  try {
    return json_value(archive.get<std::variant_alternative_t<Tag, Archive::Value>>(name));
  } catch (const Error&) {
    if constexpr (Tag + 1 < std::variant_size_v<Archive::Value>) return value_as_json<Tag + 1>(archive, name);
    throw;
  }
}

// Names are sorted, so the names of one scope are adjacent. An entry whose name ends in '/' gets an empty key.
void add_scope(const Archive& archive, const std::string& prefix, std::span<const std::string> names, const std::string& indent,
               std::string& out) {
  out += "{";
  bool is_first = true;
  for (std::size_t i = 0; i < names.size();) {
    const std::string rest = names[i].substr(prefix.size());
    const std::string head = rest.substr(0, rest.find('/'));
    const std::string scope = prefix + head + "/";
    out += (is_first ? "\n" : ",\n") + indent + "  " + json_string(head) + ": ";
    is_first = false;
    if (head == rest) {
      out += value_as_json(archive, names[i]);
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < names.size() && names[end].starts_with(scope)) ++end;
    add_scope(archive, scope, names.subspan(i, end - i), indent + "  ", out);
    i = end;
  }
  out += "\n" + indent + "}";
}

}  // namespace

std::string json_of_file(std::string_view bytes) {
  const Archive archive = Archive::decode(unframe(bytes));
  const auto names = archive.names();
  std::string out;
  add_scope(archive, "", names, "", out);
  return out + "\n";
}

}  // namespace taut
