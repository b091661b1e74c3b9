#include <taut/model/row_sketch.hpp>

#include <taut/core/error.hpp>
#include <taut/model/row_hash.hpp>

#include <algorithm>
#include <bit>

namespace taut {

namespace {

// Sixteen bits a row, eleven of which a row sets: the fewest false finds for that many bits, (1 − e^(−11/16))^11 = 0.00046.
constexpr std::uint64_t bits_per_row = 16;
constexpr std::uint64_t bits_set = 11;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 19;  // 1 MiB

// Equal rows have equal hashes; each copy is drawn by itself.
bool is_left_out(std::uint64_t hash, std::uint64_t copy) { return mixed(hash ^ mixed(copy + 1)) % 4 == 0; }

}  // namespace

RowSketch::RowSketch(std::vector<std::uint64_t> hashes) {
  while (hashes.size() >> zeros_ > most_rows) ++zeros_;
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
  constexpr std::int64_t most = std::int64_t{1} << 53;
  RowSketch sketch;
  sketch.bits_ = archive.get<std::vector<std::uint8_t>>("bits");
  if (sketch.bits_.empty()) throw Error("the model file's sketch of rows is empty: it is damaged");
  sketch.zeros_ = static_cast<int>(archive.integer_in("zeros", 0, 63));
  sketch.left_out_.rows = archive.integer_in("left_out", 0, most);
  sketch.left_out_.found = archive.integer_in("left_out_found", 0, sketch.left_out_.rows);
  return sketch;
}

}  // namespace taut
