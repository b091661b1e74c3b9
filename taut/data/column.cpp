#include <taut/data/column.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

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

namespace {

constexpr std::string_view positional = "column ", without_header = "column";

bool is_count(std::string_view text) {
  return !text.empty() && text.front() != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<std::string> unique_names(std::vector<std::string> header) {
  std::unordered_map<std::string, std::size_t> uses;
  for (const auto& name : header) ++uses[name];
  std::unordered_set<std::string> taken;
  for (const auto& [name, count] : uses)
    if (count == 1 && !name.empty()) taken.insert(name);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!header[i].empty() && uses[header[i]] == 1) continue;
    const std::string place = std::string(positional) + std::to_string(i + 1);
    std::string name = header[i].empty() ? place : header[i] + " (" + place + ")";
    while (!taken.insert(name).second) name += " (" + place + ")";  // another column already has this name
    header[i] = std::move(name);
  }
  return header;
}

bool is_positional_name(std::string_view name) {
  return name.starts_with(positional) && is_count(name.substr(positional.size()));
}

std::string name_without_header(std::size_t position) { return std::string(without_header) + std::to_string(position); }

bool is_name_without_header(std::string_view name) {
  return name.starts_with(without_header) && is_count(name.substr(without_header.size()));
}

std::vector<std::string> columns_sharing_name(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  const std::string start = std::string(name) + " (";
  for (const auto& each : names)
    if (each.starts_with(start) && each.ends_with(')') &&
        is_positional_name(std::string_view(each).substr(start.size(), each.size() - start.size() - 1)))
      found.push_back(each);
  return found;
}

}  // namespace taut
