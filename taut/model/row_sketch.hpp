// A set of rows in few bits, to ask whether a row was among them: a Bloom filter of the rows' hashes, and how often it is wrong.
//
// Rows repeat in honest data too, and the filter takes one row in 2,000 for another. So a random quarter of the rows is left out
// of the filter and looked up in it. If new rows are exchangeable with these, the same share of both is found, however often
// rows repeat.
//
// Two bytes for each row that is kept, so about 1.5 for each row of the set, and never more than 1 MiB: of larger sets only rows
// whose hash has enough leading zeros are kept and looked up.
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

  Found& operator+=(const Found& other) {
    rows += other.rows;
    found += other.found;
    return *this;
  }
};

class RowSketch {
 public:
  RowSketch() = default;
  // In any order.
  explicit RowSketch(std::vector<std::uint64_t> hashes);

  bool empty() const { return bits_.empty(); }
  Found find(std::span<const std::uint64_t> hashes) const;
  // How many of the rows that were left out are found.
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
