#include <taut/model/row_hash.hpp>

#include <taut/core/threads.hpp>

#include <bit>
#include <cmath>

namespace taut {

namespace {

constexpr std::uint64_t missing_cell = 0x9E3779B97F4A7C15ULL;

std::uint64_t of_number(double value) {
  if (std::isnan(value)) return missing_cell;
  return mixed(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));  // −0 is 0
}

// FNV-1a, byte by byte.
std::uint64_t of_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mixed(hash);
}

// Of each category of a column; none for a column of numbers.
std::vector<std::uint64_t> of_categories(const Column& column) {
  std::vector<std::uint64_t> hashes;
  for (const auto& name : column.categories) hashes.push_back(of_text(name));
  return hashes;
}

std::uint64_t of_category(double code, const std::vector<std::uint64_t>& hashes) {
  const bool is_known = code >= 0 && code < static_cast<double>(hashes.size());
  return is_known ? hashes[static_cast<std::size_t>(code)] : missing_cell;
}

std::uint64_t of_cell(double cell, bool is_categorical, const std::vector<std::uint64_t>& categories) {
  return is_categorical ? of_category(cell, categories) : of_number(cell);
}

std::uint64_t chained(std::uint64_t hash, std::uint64_t cell) { return mixed(std::rotl(hash, 5) + cell); }

// `begin` gives what a row's hash starts from.
template <class Begin>
std::vector<std::uint64_t> hashes_from(const TableView& x, RowsView rows, int threads, Begin begin_of) {
  std::vector<std::vector<std::uint64_t>> categories;
  for (const Column& column : x.columns()) categories.push_back(of_categories(column));
  std::vector<std::uint64_t> hashes(rows.size());
  constexpr Index rows_at_once = 1 << 12;
  parallel_blocks(std::ssize(hashes), rows_at_once, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      std::uint64_t hash = begin_of(i);
      for (std::size_t column = 0; column < categories.size(); ++column) {
        const double cell = x(rows[at], static_cast<Index>(column));
        hash = chained(hash, of_cell(cell, x.columns()[column].is_categorical(), categories[column]));
      }
      hashes[at] = hash;
    }
  });
  return hashes;
}

}  // namespace

std::vector<std::uint64_t> row_hashes(const TableView& x, std::span<const double> y, RowsView rows, int threads) {
  return hashes_from(x, rows, threads, [&](Index i) { return of_number(y[static_cast<std::size_t>(i)]); });
}

std::vector<std::uint64_t> input_hashes(const TableView& x, const Matrix& given, RowsView rows, int threads) {
  return hashes_from(x, rows, threads, [&](Index i) {
    std::uint64_t hash = missing_cell;
    for (Index column = 0; column < given.cols(); ++column) hash = chained(hash, of_number(given(i, column)));
    return hash;
  });
}

std::uint64_t secret_of(std::span<const std::uint64_t> hashes, std::uint64_t seed) {
  std::uint64_t sum = 0;
  for (const std::uint64_t hash : hashes) sum += mixed(hash ^ missing_cell);
  return chained(mixed(seed + missing_cell), sum);
}

std::vector<std::uint64_t> cell_hashes(const TableView& x, Index column, RowsView rows) {
  const Column& about = x.columns()[static_cast<std::size_t>(column)];
  const auto categories = of_categories(about);
  std::vector<std::uint64_t> hashes;
  hashes.reserve(rows.size());
  for (const Index row : rows) hashes.push_back(of_cell(x(row, column), about.is_categorical(), categories));
  return hashes;
}

std::uint64_t number_hash(double value) { return of_number(value); }

}  // namespace taut
