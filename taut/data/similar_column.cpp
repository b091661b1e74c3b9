#include <taut/data/similar_column.hpp>

#include <taut/core/text.hpp>

#include <vector>

namespace taut {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
// Bytes of characters beyond ASCII count as letters.
bool is_letter_or_digit(char c) {
  const char lower = lower_case(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

// The words of a name in lower case: lot_size, "lot size" and LotSize are {lot, size}.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_new = i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]);
    if ((!is_letter_or_digit(name[i]) || is_new) && !words.back().empty()) words.emplace_back();
    if (is_letter_or_digit(name[i])) words.back() += lower_case(name[i]);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// True if the letters of `brief` occur in `word` in their order, the first one at its start: qty, quantity.
bool abbreviates(std::string_view brief, std::string_view word) {
  if (brief.empty() || brief.front() != word.front()) return false;
  std::size_t at = 0;
  for (const char c : word)
    if (at < brief.size() && brief[at] == c) ++at;
  return at == brief.size();
}

bool abbreviates_words(const std::vector<std::string>& brief, const std::vector<std::string>& words) {
  constexpr std::size_t min_letters = 3;
  if (brief.size() != words.size() || join(brief, "").size() < min_letters) return false;
  for (std::size_t i = 0; i < brief.size(); ++i)
    if (!abbreviates(brief[i], words[i])) return false;
  return true;
}

// 0: most similar; nothing if the names are not similar.
std::optional<int> rank_of(std::string_view name, const std::string& candidate) {
  const auto own = words_of_name(name), other = words_of_name(candidate);
  const std::string key = join(own, ""), other_key = join(other, "");
  if (key.empty() || other_key.empty()) return std::nullopt;
  if (key == other_key) return 0;
  if (nearest_name(key, std::vector{other_key})) return 1;
  constexpr std::size_t min_start = 3, min_part = 4;
  const bool is_longer = key.size() > other_key.size();
  const std::string &brief = is_longer ? other_key : key, &whole = is_longer ? key : other_key;
  if (brief.size() >= min_start && whole.starts_with(brief)) return 2;
  if (abbreviates_words(own, other) || abbreviates_words(other, own)) return 3;
  if (brief.size() >= min_part && whole.find(brief) != std::string::npos) return 4;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> similar_column(std::string_view name, std::span<const std::string> candidates) {
  if (const auto nearest = nearest_name(name, candidates); nearest && rank_of(name, *nearest).value_or(1) <= 1) {
    // Few typing errors: but a name that differs only in separators and case comes first.
    for (const auto& candidate : candidates)
      if (rank_of(name, candidate) == 0) return candidate;
    return nearest;
  }
  std::optional<std::string> best;
  int best_rank = 0;
  std::size_t best_size = 0;
  for (const auto& candidate : candidates) {
    const auto rank = rank_of(name, candidate);
    const std::size_t size = candidate.size();
    if (!rank || (best && (*rank > best_rank || (*rank == best_rank && size >= best_size)))) continue;
    best = candidate;
    best_rank = *rank;
    best_size = size;
  }
  return best;
}

}  // namespace taut
