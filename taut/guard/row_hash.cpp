#include <taut/guard/row_hash.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
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

// One hash for each category of a column; none for a column of numbers.
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

// `begin_of(i)` is the initial value of the hash of row i.
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
  const std::size_t targets = rows.empty() ? 1 : y.size() / rows.size();
  return hashes_from(x, rows, threads, [&](Index i) {
    const auto own = y.subspan(static_cast<std::size_t>(i) * targets, targets);
    std::uint64_t hash = of_number(own.front());
    for (const double further : own.subspan(1)) hash = chained(hash, of_number(further));
    return hash;
  });
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

namespace {

// Sixteen bits per row and eleven hash functions, the optimum for this size: false positives (1 − e^(−11/16))^11 = 0.00046.
constexpr std::uint64_t bits_per_row = 16;
constexpr std::uint64_t bits_set = 11;
constexpr std::uint64_t max_rows = std::uint64_t{1} << 19;  // 1 MiB

// Equal rows have equal hashes, so the number of the copy is hashed too: each copy is chosen independently.
bool is_left_out(std::uint64_t hash, std::uint64_t copy) { return mixed(hash ^ mixed(copy + 1)) % 4 == 0; }

}  // namespace

RowSketch::RowSketch(std::vector<std::uint64_t> hashes) {
  while (hashes.size() >> zeros_ > max_rows) ++zeros_;
  std::erase_if(hashes, [this](std::uint64_t hash) { return !looks_up(hash); });
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::uint64_t> kept, others;
  std::uint64_t copy = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    copy = i > 0 && hashes[i] == hashes[i - 1] ? copy + 1 : 0;
    (is_left_out(hashes[i], copy) ? others : kept).push_back(hashes[i]);
  }
  if (kept.empty()) return;
  bits_.resize(kept.size() * bits_per_row / 8);
  for (const std::uint64_t hash : kept) insert(hash);
  left_out_ = find(others);
}

bool RowSketch::looks_up(std::uint64_t hash) const { return std::countl_zero(hash) >= zeros_; }

// Visits the bits of a row until `visit` returns false.
template <class Visit>
bool RowSketch::all_bits(std::uint64_t hash, Visit visit) const {
  for (std::uint64_t i = 1; i <= bits_set; ++i) {
    const std::uint64_t place = mixed(hash + i) % (8 * bits_.size());
    if (!visit(place / 8, static_cast<std::uint8_t>(1U << place % 8))) return false;
  }
  return true;
}

bool RowSketch::contains(std::uint64_t hash) const {
  return all_bits(hash, [this](std::uint64_t byte, std::uint8_t bit) { return (bits_[byte] & bit) != 0; });
}

void RowSketch::insert(std::uint64_t hash) {
  all_bits(hash, [this](std::uint64_t byte, std::uint8_t bit) {
    bits_[byte] |= bit;
    return true;
  });
}

Found RowSketch::find(std::span<const std::uint64_t> hashes) const {
  Found result;
  if (empty()) return result;
  for (const std::uint64_t hash : hashes) {
    if (!looks_up(hash)) continue;
    ++result.rows;
    result.found += contains(hash) ? 1 : 0;
  }
  return result;
}

void RowSketch::save(Archive archive) const {
  archive.put("bits", bits_);
  archive.put("zeros", static_cast<std::int64_t>(zeros_));
  archive.put("left_out", static_cast<std::int64_t>(left_out_.rows));
  archive.put("left_out_found", static_cast<std::int64_t>(left_out_.found));
}

RowSketch RowSketch::load(const Archive& archive) {
  constexpr std::int64_t maximum = std::int64_t{1} << 53;
  RowSketch sketch;
  sketch.bits_ = archive.get<std::vector<std::uint8_t>>("bits");
  if (sketch.bits_.empty()) throw Error("the model file's sketch of rows is empty: it is damaged");
  sketch.zeros_ = static_cast<int>(archive.integer_in("zeros", 0, 63));
  sketch.left_out_.rows = archive.integer_in("left_out", 0, maximum);
  sketch.left_out_.found = archive.integer_in("left_out_found", 0, sketch.left_out_.rows);
  return sketch;
}

}  // namespace taut
