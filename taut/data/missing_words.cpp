#include <taut/data/missing_words.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv_scanner.hpp>

#include <algorithm>
#include <array>

namespace taut {
namespace {

// `word` is in lower case.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower_case(a) == b; });
}

}  // namespace

bool is_missing_cell(std::string_view text) {
  constexpr std::array<std::string_view, 9> words = {"na", "n/a", "#n/a", "nan", "-nan", "null", "none", "-", "?"};
  constexpr std::size_t longest = 4;
  text = trim(text);
  if (text.empty()) return true;
  if (text.size() > longest) return false;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return is_word(text, word); });
}

MissingWords::MissingWords(const std::vector<std::string>& more) {
  for (const auto& word : more) {
    more_.push_back(lower_case(trim(word)));
    if (const auto number = cell_number(more_.back())) numbers_.push_back(*number);
  }
}

bool MissingWords::is_one_of_more(std::string_view text) const {
  text = trim(text);
  return std::any_of(more_.begin(), more_.end(), [&](const std::string& word) { return is_word(text, word); });
}

}  // namespace taut
