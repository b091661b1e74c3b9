// A row's inputs and its target as one number.
#pragma once

#include <taut/data/table_view.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// The same wherever a row comes from, a CSV file, a frame or an array: cells are numbers or the names of categories, in the order
// of the columns of `x`. `y` holds one target for each of `rows`.
std::vector<std::uint64_t> row_hashes(const TableView& x, std::span<const double> y, RowsView rows, int threads);
// Of inputs alone, and of numbers that were given besides them: a row of `given` for each of `rows`, or no columns.
std::vector<std::uint64_t> input_hashes(const TableView& x, const Matrix& given, RowsView rows, int threads);

// A number that nobody can guess without the rows, the same for the same rows in any order and the same seed.
std::uint64_t secret_of(std::span<const std::uint64_t> hashes, std::uint64_t seed);

// The cells of one column, each as a number; equal cells of two tables have equal ones.
std::vector<std::uint64_t> cell_hashes(const TableView& x, Index column, RowsView rows);
std::uint64_t number_hash(double value);

// Spreads differences of a few bits over all 64; a bijection.
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
  return bits ^ (bits >> 31);
}

}  // namespace taut
