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

std::string_view trim_cell(std::string_view text) {
  // U+00A0, U+202F, U+2009, U+2008 and U+2007.
  constexpr std::array<std::string_view, 5> spaces = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x88", "\xE2\x80\x87"};
  const auto is_solid = [](char c) { return c > ' ' && c <= '~'; };
  if (!text.empty() && is_solid(text.front()) && is_solid(text.back())) return text;  // nearly all cells
  for (bool changed = true; changed;) {
    const std::size_t before = text.size();
    text = trim(text);
    for (const auto space : spaces) {
      if (text.starts_with(space)) text.remove_prefix(space.size());
      if (text.ends_with(space)) text.remove_suffix(space.size());
    }
    changed = text.size() != before;
  }
  return text;
}

bool is_missing_cell(std::string_view text, MissingSet set) {
  constexpr std::array<std::string_view, 8> everywhere = {"na", "n/a", "#n/a", "nan", "-nan", "null", "-", "?"};
  constexpr std::array<std::string_view, 7> among_numbers = {"none", ".", "..", "*", "--", "\xE2\x80\x93", "\xE2\x80\x94"};
  constexpr std::size_t longest = 4;
  text = set == MissingSet::former ? trim(text) : trim_cell(text);
  if (text.empty()) return true;
  if (text.size() > longest) return false;
  const auto is = [&](std::string_view word) { return is_word(text, word); };
  if (std::any_of(everywhere.begin(), everywhere.end(), is)) return true;
  if (set == MissingSet::former) return is("none");
  return set == MissingSet::among_numbers && std::any_of(among_numbers.begin(), among_numbers.end(), is);
}

MissingWords::MissingWords(const std::vector<std::string>& more) {
  for (const auto& word : more) {
    more_.push_back(lower_case(trim_cell(word)));
    if (const auto number = cell_number(more_.back())) numbers_.push_back(*number);
  }
}

bool MissingWords::is_one_of_more(std::string_view text) const {
  text = trim_cell(text);
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
