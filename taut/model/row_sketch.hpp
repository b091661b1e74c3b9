// A set of rows in few bits: has this row been among them? A Bloom filter of the rows' hashes, and what chance makes of it.
//
// Rows repeat, in honest data too, and a filter takes one row in 2,000 for another. So a quarter of the rows is left out of the
// filter, drawn by lot, and looked up in it: as many of the rows that are left out are found as of new rows, if the new rows
// are exchangeable with them. Whoever compares the two shares needs to assume nothing about how often rows repeat.
//
// Two bytes for each row that is kept: at most 1.5 bytes for each row of the set, and never more than 1 MiB: of larger sets only
// rows are kept and looked up whose hash has enough leading zeros.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

struct Found {
  Index rows = 0;   // that were looked up
  Index found = 0;  // of these
};

class RowSketch {
 public:
  RowSketch() = default;
  // The order of the hashes is nothing.
  explicit RowSketch(std::vector<std::uint64_t> hashes);

  bool empty() const { return bits_.empty(); }
  Found find(std::span<const std::uint64_t> hashes) const;
  // Of the rows of the set that were left out.
  const Found& left_out() const { return left_out_; }

  void save(Archive archive) const;
  static RowSketch load(const Archive& archive);

 private:
  bool looks_up(std::uint64_t hash) const;
  template <class Visit>
  bool all_bits(std::uint64_t hash, Visit visit) const;
  bool contains(std::uint64_t hash) const;
  void insert(std::uint64_t hash);

  std::vector<std::uint8_t> bits_;
  int zeros_ = 0;  // leading zeros that a hash must have to be looked up
  Found left_out_;
};

}  // namespace taut
