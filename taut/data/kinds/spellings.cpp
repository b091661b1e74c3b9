#include <taut/data/kinds/spellings.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace taut {

namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool is_doubtful(std::string_view text) {
  return is_missing_cell(text, MissingSet::among_numbers) && !is_missing_cell(text, MissingSet::everywhere);
}

// True for a text in small letters, in capitals, or in small letters after the first letter of a word.
bool is_usual_spelling(std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return is_small(c) || is_capital(c); });
  if (letters < 2) return false;
  if (std::none_of(text.begin(), text.end(), is_small) || std::none_of(text.begin(), text.end(), is_capital)) return true;
  char before = ' ';
  for (const char c : text) {
    const bool starts_word = !is_small(before) && !is_capital(before);
    if (is_capital(c) && !starts_word) return false;
    before = c;
  }
  return true;
}

// The spellings of true and false are joined in any column, see category_key().
bool is_truth_value(std::string_view text) {
  const std::string key = category_key(text);
  return key == "true" || key == "false";
}

}  // namespace

FoldedTexts fold_case(const ColumnTexts& given) {
  std::unordered_map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < given.texts.size(); ++i) groups[lower_case(given.texts[i].text)].push_back(i);
  FoldedTexts result{given};
  if (groups.size() == given.texts.size()) return result;
  std::vector<std::size_t> doubtful, joined;  // the most frequent spelling of each group
  for (std::size_t i = 0; i < given.texts.size(); ++i) {
    const auto& group = groups.at(lower_case(given.texts[i].text));
    if (group.size() < 2 || group.front() != i || is_truth_value(given.texts[i].text)) continue;
    const bool are_usual =
        std::all_of(group.begin(), group.end(), [&](std::size_t at) { return is_usual_spelling(given.texts[at].text); });
    (are_usual ? joined : doubtful).push_back(i);
  }
  const auto shown = [&](std::size_t first) {
    const auto& group = groups.at(lower_case(given.texts[first].text));
    return format_text("{} and {}", quoted_cell(given.texts[group[0]].text), quoted_cell(given.texts[group[1]].text));
  };
  if (!doubtful.empty()) {
    result.words =
        shown(doubtful.front()) + " differ only in case and are different values: correct the table if they mean the same";
    return result;
  }
  if (joined.empty()) return result;
  result.folds_case = true;
  result.words = format_text("upper and lower case count as the same: {} are one value", shown(joined.front()));
  struct Joined {
    CountedText text;
    Index first_row;
  };
  std::vector<Joined> kept;
  for (std::size_t i = 0; i < given.texts.size(); ++i) {
    const auto& group = groups.at(lower_case(given.texts[i].text));
    if (group.front() != i) continue;
    Joined one{{given.texts[i].text, 0}, given.first_rows[i]};
    for (const std::size_t at : group) {
      one.text.cells += given.texts[at].cells;
      one.first_row = std::min(one.first_row, given.first_rows[at]);
    }
    kept.push_back(one);
  }
  std::sort(kept.begin(), kept.end(), [](const Joined& a, const Joined& b) {
    return a.text.cells != b.text.cells ? a.text.cells > b.text.cells : a.first_row < b.first_row;
  });
  result.texts.texts.clear();
  result.texts.first_rows.clear();
  for (const Joined& one : kept) {
    result.texts.texts.push_back(one.text);
    result.texts.first_rows.push_back(one.first_row);
  }
  return result;
}

std::string describe_doubtful_words(const ColumnTexts& texts, const std::string& what) {
  std::string words;
  for (const auto& [text, cells] : texts.texts)
    if (is_doubtful(text))
      words += format_text("{}{} in {} of {} is a {}; --na {} makes it missing", words.empty() ? "" : "; ", quoted_cell(text),
                           print_count(cells), counted(texts.cells + texts.missing, "cell"), what, quoted_cell(text));
  return words;
}

ColumnTexts without_doubtful_words(const ColumnTexts& texts) {
  ColumnTexts result = texts;
  result.texts.clear();
  result.first_rows.clear();
  for (std::size_t i = 0; i < texts.texts.size(); ++i) {
    if (is_doubtful(texts.texts[i].text)) {
      result.cells -= texts.texts[i].cells;
      result.missing += texts.texts[i].cells;
      continue;
    }
    result.texts.push_back(texts.texts[i]);
    result.first_rows.push_back(texts.first_rows[i]);
  }
  return result;
}

}  // namespace taut
