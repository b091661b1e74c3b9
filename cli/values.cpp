// Conversion between the text of options and their values.
#include <cli/arguments.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <cmath>

namespace taut {

namespace {

template <class T>
std::string joined_numbers(const std::vector<T>& values) {
  std::vector<std::string> words;
  for (const T value : values) words.push_back(std::to_string(value));
  return join(words, ",");
}

}  // namespace

void read_value(std::string_view, const std::string& text, std::string& value) { value = text; }

void read_value(std::string_view option, const std::string& text, double& value) {
  value = parse_number_or_throw(text, option);
  if (std::isnan(value)) throw UsageError(format_text("{}: expected a number, got '{}'", option, text));
}

void read_value(std::string_view option, const std::string& text, Index& value) {
  constexpr double maximum = 9007199254740992.0;  // 2^53; above it doubles skip whole numbers
  const auto number = parse_number(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > maximum)
    throw UsageError(format_text("{}: expected a whole number, got '{}'", option, text));
  value = static_cast<Index>(*number);
}

void read_value(std::string_view option, const std::string& text, int& value) {
  Index wide = 0;
  read_value(option, text, wide);
  if (wide < 0 || wide > 4096) throw UsageError(format_text("{}: expected a number from 0 to 4096, got '{}'", option, text));
  value = static_cast<int>(wide);
}

void read_value(std::string_view option, const std::string& text, bool& value) {
  if (text != "yes" && text != "no")
    throw UsageError(unknown_name("value of " + std::string(option), text, std::vector<std::string>{"yes", "no"}));
  value = text == "yes";
}

namespace {

// Splits at commas, as in a CSV file: a name that contains a comma is in double quotes, and quotes inside it are doubled.
std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens = !is_quoted && text[i] == '"' && names.back().empty() && text.find('"', i + 1) != std::string_view::npos;
    const bool is_doubled = is_quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"';
    if (opens || (is_quoted && text[i] == '"' && !is_doubled)) {
      is_quoted = opens;
    } else if (!is_quoted && text[i] == ',') {
      names.emplace_back();
    } else {
      names.back() += text[i];
      i += is_doubled ? 1 : 0;
    }
  }
  return names;
}

}  // namespace

void read_value(std::string_view option, const std::string& text, std::vector<std::string>& value) {
  value = split_names(text);
  for (const auto& word : value)
    if (word.empty())
      throw UsageError(format_text("{}: one of the names in '{}' is empty; separate names by single commas", option, text));
}

void read_value(std::string_view option, const std::string& text, std::vector<Index>& value) {
  value.clear();
  for (const auto& word : split_text(text, ',')) read_value(option, word, value.emplace_back());
}

std::string default_text(const std::string& value) { return value; }
std::string default_text(double value) { return value == 0 || std::isinf(value) ? "" : print_number(value); }
std::string default_text(Index value) { return value == 0 ? "" : std::to_string(value); }
std::string default_text(int value) { return default_text(static_cast<Index>(value)); }
std::string default_text(const std::vector<std::string>& value) { return join(value, ","); }
std::string default_text(const std::vector<Index>& value) { return joined_numbers(value); }

}  // namespace taut
