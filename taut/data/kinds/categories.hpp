// The different texts of a column and their codes, counted from 0 in the order in which they were added.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// A column may have as many different texts as rows, and looking them up takes most of the time of reading it. An entry
// therefore stores a short text in place, within half a cache line.
class Categories {
 public:
  Categories() = default;
  explicit Categories(const std::vector<std::string>& texts);

  std::size_t size() const { return entries_.size(); }
  double find(std::string_view text) const;  // other_code() if the text is absent
  double find_or_add(std::string_view text);
  double other_code() const { return static_cast<double>(entries_.size()); }
  std::string_view operator[](std::size_t code) const { return text_of(entries_[code]); }
  std::vector<std::string> in_order() const;

 private:
  static constexpr std::size_t short_text = 24;
  struct Entry {
    std::uint32_t hash;
    std::uint32_t size;
    char text[short_text];  // a longer text is in long_texts_; its offset is stored here
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t code_plus_one = 0;  // 0: free
  };
  static std::uint32_t hash_of(std::string_view text);
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  std::string_view text_of(const Entry& entry) const;
  void grow();

  std::vector<Entry> entries_;
  std::string long_texts_;
  // A hash table with linear probing. Its size is a power of two, at most three quarters are used.
  std::vector<Slot> slots_;
};

}  // namespace taut
