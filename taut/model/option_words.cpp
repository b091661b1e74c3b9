#include <taut/model/option_words.hpp>

#include <taut/core/text.hpp>

namespace taut {

namespace {

std::string text_of(const std::string& value) { return value; }
std::string text_of(double value) { return print_number(value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(Index value) { return std::to_string(value); }
std::string text_of(const std::vector<std::string>& values) { return join(values, ","); }
std::string text_of(const std::vector<Index>& values) {
  std::vector<std::string> words;
  for (const Index value : values) words.push_back(std::to_string(value));
  return join(words, ",");
}

}  // namespace

bool is_flag(std::string_view option) {
  bool found = false;
  FitOptions options;
  for_each_option(options,
                  [&]<class T>(const OptionText& text, const T&) { found |= text.name == option && std::is_same_v<T, bool>; });
  return found;
}

void visit_option_words(const FitOptions& options,
                        const std::function<void(const std::string& name, const std::string& value, bool differs)>& visit) {
  const FitOptions defaults;
  std::vector<std::string> standard;
  for_each_option(defaults, [&](const OptionText&, const auto& value) { standard.push_back(text_of(value)); });
  std::size_t position = 0;
  for_each_option(options, [&](const OptionText& text, const auto& value) {
    const std::string words = text_of(value);
    visit(std::string(text.name), words, words != standard[position++]);
  });
}

}  // namespace taut
