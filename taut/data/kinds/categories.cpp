#include <taut/data/kinds/categories.hpp>

#include <algorithm>
#include <cstring>

namespace taut {

Categories::Categories(const std::vector<std::string>& texts) {
  for (const auto& text : texts) find_or_add(text);
}

// Mixes eight bytes at a time. The high bits of a product depend on all input bits; they are folded into the low bits, which
// select the slot.
std::uint32_t Categories::hash_of(std::string_view text) {
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
  return static_cast<std::uint32_t>(hash);
}

std::string_view Categories::text_of(const Entry& entry) const {
  if (entry.size <= short_text) return {entry.text, entry.size};
  std::size_t begin = 0;
  std::memcpy(&begin, entry.text, sizeof begin);
  return {long_texts_.data() + begin, entry.size};
}

// The slot that holds the text, or the free slot where it would be inserted.
std::size_t Categories::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& own = slots_[slot];
    if (own.code_plus_one == 0) return slot;
    if (own.hash == hash && text_of(entries_[own.code_plus_one - 1]) == text) return slot;
  }
}

double Categories::find(std::string_view text) const {
  if (slots_.empty()) return other_code();
  const std::uint32_t found = slots_[slot_of(text, hash_of(text))].code_plus_one;
  return found == 0 ? other_code() : static_cast<double>(found - 1);
}

double Categories::find_or_add(std::string_view text) {
  if (4 * entries_.size() >= 3 * slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.code_plus_one == 0) {
    Entry& entry = entries_.emplace_back();
    entry.hash = hash;
    entry.size = static_cast<std::uint32_t>(text.size());
    if (text.size() <= short_text) {
      std::copy(text.begin(), text.end(), entry.text);
    } else {
      const std::size_t begin = long_texts_.size();
      std::memcpy(entry.text, &begin, sizeof begin);
      long_texts_ += text;
    }
    slot = {hash, static_cast<std::uint32_t>(entries_.size())};
  }
  return static_cast<double>(slot.code_plus_one - 1);
}

void Categories::grow() {
  slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), {});
  for (std::size_t code = 0; code < entries_.size(); ++code) {
    std::size_t slot = entries_[code].hash & (slots_.size() - 1);
    while (slots_[slot].code_plus_one != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {entries_[code].hash, static_cast<std::uint32_t>(code + 1)};
  }
}

std::vector<std::string> Categories::in_order() const {
  std::vector<std::string> texts;
  texts.reserve(entries_.size());
  for (const Entry& entry : entries_) texts.emplace_back(text_of(entry));
  return texts;
}

}  // namespace taut
