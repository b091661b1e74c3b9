#include <taut/data/categories.hpp>

#include <algorithm>
#include <cstring>

namespace taut {

Categories::Categories(const std::vector<std::string>& texts) {
  for (const auto& text : texts) find_or_add(text);
}

// Eight bytes at a time; after each multiplication the high bits, which all of them have reached, come down to the low ones,
// by which the table is entered.
std::uint64_t Categories::hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  };
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    mix(word);
  }
  std::uint64_t rest = 0;
  for (const char c : text) rest = rest << 8 | static_cast<unsigned char>(c);
  mix(rest);
  return hash;
}

// Where the text is, or where it would be put.
std::size_t Categories::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) return slot;
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && text_of(entry) == text) return slot;
  }
}

double Categories::find(std::string_view text) const {
  if (slots_.empty()) return other_code();
  const std::uint32_t found = slots_[slot_of(text, hash_of(text))];
  return found == 0 ? other_code() : static_cast<double>(found - 1);
}

double Categories::find_or_add(std::string_view text) {
  if (2 * entries_.size() >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(text);
  std::uint32_t& slot = slots_[slot_of(text, hash)];
  if (slot == 0) {
    entries_.push_back({hash, texts_.size(), text.size()});
    texts_ += text;
    slot = static_cast<std::uint32_t>(entries_.size());
  }
  return static_cast<double>(slot - 1);
}

void Categories::grow() {
  slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), 0);
  for (std::size_t code = 0; code < entries_.size(); ++code) {
    std::size_t slot = entries_[code].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(code + 1);
  }
}

std::vector<std::string> Categories::in_order() const {
  std::vector<std::string> texts;
  texts.reserve(entries_.size());
  for (const Entry& entry : entries_) texts.emplace_back(text_of(entry));
  return texts;
}

}  // namespace taut
