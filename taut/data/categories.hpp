// The different texts of a column and their codes, counted from 0 in the order in which they were added.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Texts stand one after another in one block of memory: a column may have as many as rows.
class Categories {
 public:
  Categories() = default;
  explicit Categories(const std::vector<std::string>& texts);

  std::size_t size() const { return entries_.size(); }
  double find(std::string_view text) const;  // other_code() when it is not there
  double find_or_add(std::string_view text);
  double other_code() const { return static_cast<double>(entries_.size()); }
  std::string_view operator[](std::size_t code) const { return text_of(entries_[code]); }
  std::vector<std::string> in_order() const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::size_t begin, size;  // of its text in texts_
  };
  static std::uint64_t hash_of(std::string_view text);
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  std::string_view text_of(const Entry& entry) const { return {texts_.data() + entry.begin, entry.size}; }
  void grow();

  std::string texts_;
  std::vector<Entry> entries_;
  // A hash table with linear probing: the code of an entry plus one, or 0. Its size is a power of two, at most half is used.
  std::vector<std::uint32_t> slots_;
};

}  // namespace taut
