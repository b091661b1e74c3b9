// Messages written as a pattern and its arguments.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace taut {

// A text or a whole number. A double is not allowed: print it with print_number, print_rounded or with_decimals, which determine
// the number of digits.
class FormatArgument {
 public:
  FormatArgument(std::string_view text) : text_(text) {}
  FormatArgument(const std::string& text) : text_(text) {}
  FormatArgument(const char* text) : text_(text) {}
  template <std::integral Number>
  requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) FormatArgument(Number number)
      : number_(static_cast<long long>(number)), is_number_(true) {}

  bool is_number() const { return is_number_; }
  std::string_view text() const { return text_; }
  long long number() const { return number_; }

 private:
  std::string_view text_;
  long long number_ = 0;
  bool is_number_ = false;
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
