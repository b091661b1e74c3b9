// Messages written as a pattern and its arguments.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace taut {

// A text or a whole number. A double is not allowed: print it with print_number, print_rounded or with_decimals, which determine
// the number of digits.
struct FormatArgument {
  std::variant<std::string_view, long long, unsigned long long> value;

  FormatArgument(std::string_view text) : value(text) {}
  FormatArgument(const std::string& text) : value(std::string_view(text)) {}
  FormatArgument(const char* text) : value(std::string_view(text)) {}
  template <std::signed_integral Number>
  requires(!std::same_as<Number, char>) FormatArgument(Number number) : value(static_cast<long long>(number)) {}
  template <std::unsigned_integral Number>
  requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) FormatArgument(Number number)
      : value(static_cast<unsigned long long>(number)) {}
};

// A pattern with `arguments` placeholders "{}"; "{{" and "}}" print a brace. It is checked at compile time.
template <std::size_t arguments>
class FormatPattern {
 public:
  consteval FormatPattern(const char* text) : text_(text) {
    std::size_t found = 0;
    for (const char* at = text; *at != '\0'; ++at) {
      if (*at != '{' && *at != '}') continue;
      const char first = *at++;
      if (first == '{' && *at == '}')
        ++found;
      else if (*at != first)
        throw "a brace that is neither doubled nor part of {}";
    }
    if (found != arguments) throw "the pattern needs one argument for each {}";
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

std::string format_arguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments);

// format_text("{}: column '{}' is empty", source, name)
template <class... Arguments>
std::string format_text(FormatPattern<sizeof...(Arguments)> pattern, const Arguments&... arguments) {
  return format_arguments(pattern.text(), {FormatArgument(arguments)...});
}

}  // namespace taut
