// Hashes of rows, and compact sets of such hashes.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// Hashes of the inputs and the target of rows. They are the same for a CSV file, a data frame or an array: cells are numbers or
// the names of categories, in the order of the columns of `x`. `y` holds one target for each of `rows`, or several, row after
// row.
std::vector<std::uint64_t> row_hashes(const TableView& x, std::span<const double> y, RowsView rows, int threads);
// Hashes of the inputs and of the numbers in `given`, which has one row for each of `rows`, or no columns.
std::vector<std::uint64_t> input_hashes(const TableView& x, const Matrix& given, RowsView rows, int threads);

// A number that cannot be guessed without the rows. It depends on the rows and the seed, not on the order of the rows.
std::uint64_t secret_of(std::span<const std::uint64_t> hashes, std::uint64_t seed);

// Hashes of the cells of one column. Equal cells of two tables have equal hashes.
std::vector<std::uint64_t> cell_hashes(const TableView& x, Index column, RowsView rows);
std::uint64_t number_hash(double value);

// Spreads differences of a few bits over all 64; a bijection.
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
  return bits ^ (bits >> 31);
}

// A compact set of rows for membership tests: a Bloom filter of the rows' hashes, with an estimate of its false matches.
//
// Rows may repeat by chance, and the filter takes one row in 2,000 for another. So a random quarter of the rows is left out of
// the filter and looked up in it. If new rows are exchangeable with these, the expected share that is found is the same for both,
// however often rows repeat.
//
// Two bytes for each row that is kept, so about 1.5 for each row of the set, and never more than 1 MiB: of larger sets only rows
// whose hash has enough leading zeros are kept and looked up.

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
  // The hashes may be in any order.
  explicit RowSketch(std::vector<std::uint64_t> hashes);

  bool empty() const { return bits_.empty(); }
  Found find(std::span<const std::uint64_t> hashes) const;
  // How many of the left-out rows are found.
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
