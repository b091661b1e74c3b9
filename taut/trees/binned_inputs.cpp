#include <taut/trees/binned_inputs.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace taut {

namespace {

constexpr std::uint32_t sign = std::uint32_t{1} << 31;
constexpr std::size_t few_values = 1024;  // with fewer, a comparison sort is faster

// Integers with the order of the floats. −0 and 0 stay different, in this order.
std::uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
float from_ordered_bits(std::uint32_t bits) { return std::bit_cast<float>((bits & sign) != 0 ? bits & ~sign : ~bits); }

}  // namespace

// Radix sort by digits of eleven bits, the lowest first.
void sort_floats(std::vector<float>& values) {
  if (values.size() < few_values) return std::sort(values.begin(), values.end());
  constexpr std::size_t digits = 3, width = 11, mask = (1 << width) - 1;
  std::vector<std::uint32_t> keys(values.size()), next(values.size());
  std::array<std::vector<std::size_t>, digits> places;
  for (auto& counts : places) counts.assign(mask + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    keys[i] = ordered_bits(values[i]);
    for (std::size_t digit = 0; digit < digits; ++digit) ++places[digit][keys[i] >> (digit * width) & mask];
  }
  for (std::size_t digit = 0; digit < digits; ++digit) {
    auto& place = places[digit];
    std::size_t before = 0;
    for (std::size_t& count : place) {
      const std::size_t here = count;
      count = before;
      before += here;
    }
    for (const std::uint32_t key : keys) next[place[key >> (digit * width) & mask]++] = key;
    keys.swap(next);
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from_ordered_bits(keys[i]);
}

ValueSketch::ValueSketch(std::vector<float>& values) {
  sort_floats(values);
  for (const float value : values) {
    if (items_.empty() || items_.back().value != value) items_.push_back({value, 0});
    ++items_.back().rows;
  }
}

void ValueSketch::add(const ValueSketch& other) {
  std::vector<Item> all;
  all.reserve(items_.size() + other.items_.size());
  auto a = items_.begin();
  auto b = other.items_.begin();
  while (a != items_.end() || b != other.items_.end()) {
    const bool from_b = a == items_.end() || (b != other.items_.end() && b->value < a->value);
    const Item& one = from_b ? *b++ : *a++;
    if (!all.empty() && all.back().value == one.value)
      all.back().rows += one.rows;
    else
      all.push_back(one);
  }
  items_ = std::move(all);
}

void ValueSketch::shorten() {
  if (items_.size() <= capacity) return;
  double rows = 0;
  for (const Item& item : items_) rows += item.rows;
  const double group = rows / static_cast<double>(capacity - 1);
  std::size_t kept = 1;  // the smallest value
  std::uint32_t waiting = 0;
  for (std::size_t i = 1; i < items_.size(); ++i) {
    waiting += items_[i].rows;
    if (waiting < group && i + 1 < items_.size()) continue;
    items_[kept++] = {items_[i].value, waiting};
    waiting = 0;
  }
  items_.resize(kept);
  items_.shrink_to_fit();
}

namespace {

// The number of rows that are sorted together, small enough for a cache. With at most this many rows all cuts are exact
// quantiles.
constexpr Index rows_of_piece = 1 << 16;
constexpr Index blocks_at_once = 64;  // the number of sketches, over all columns, that are in memory before they are merged

// A threshold t with a < t <= b, near the middle.
float between(float a, float b) {
  const float middle = a / 2 + b / 2;
  return middle > a && middle <= b ? middle : b;
}

struct BlockOfColumn {
  ValueSketch values;
  bool has_missing = false;
};

BlockOfColumn values_of(const Inputs& x, Index column, Index begin, Index end) {
  BlockOfColumn block;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(end - begin));
  for (Index row = begin; row < end; ++row) {
    const float value = x(row, column);
    if (std::isnan(value)) {
      block.has_missing = true;
    } else {
      values.push_back(value);
    }
  }
  block.values = ValueSketch(values);
  return block;
}

// Merges the sketches of the blocks of a column, which come in order. Two sketches are merged when they cover the same number of
// blocks, like carries of a binary counter. So each row is merged about log2(blocks) times, and the result depends only on the
// rows.
class SketchOfColumn {
 public:
  void add(BlockOfColumn block) {
    has_missing_ |= block.has_missing;
    ValueSketch& carried = block.values;
    if (carried.empty()) return;
    std::size_t digit = 0;
    for (; digit < digits_.size() && !digits_[digit].empty(); ++digit) {
      carried.add(digits_[digit]);
      carried.shorten();
      digits_[digit] = {};
    }
    if (digit == digits_.size()) digits_.emplace_back();
    digits_[digit] = std::move(carried);
  }
  ValueSketch values() const {
    ValueSketch all;
    for (const ValueSketch& digit : digits_) all.add(digit);
    return all;
  }
  bool has_missing() const { return has_missing_; }

 private:
  std::vector<ValueSketch> digits_;
  bool has_missing_ = false;
};

std::vector<SketchOfColumn> sketches_of(const Inputs& x, int threads) {
  const Index columns = x.cols(), blocks = (x.rows() + rows_of_piece - 1) / rows_of_piece;
  const Index at_once = std::clamp<Index>(blocks_at_once / std::max<Index>(1, columns), 1, std::max<Index>(1, blocks));
  std::vector<SketchOfColumn> sketches(static_cast<std::size_t>(columns));
  std::vector<BlockOfColumn> made(static_cast<std::size_t>(at_once * columns));
  for (Index first = 0; first < blocks; first += at_once) {
    const Index count = std::min(at_once, blocks - first);
    parallel_blocks(count * columns, 1, threads, [&](Index which, Index) {
      const Index begin = (first + which / columns) * rows_of_piece;
      BlockOfColumn& block = made[static_cast<std::size_t>(which)];
      block = values_of(x, which % columns, begin, std::min(x.rows(), begin + rows_of_piece));
      if (blocks > 1) block.values.shorten();
    });
    parallel_blocks(columns, 1, threads, [&](Index column, Index) {
      for (Index block = 0; block < count; ++block)
        sketches[static_cast<std::size_t>(column)].add(std::move(made[static_cast<std::size_t>(block * columns + column)]));
    });
  }
  return sketches;
}

// Thresholds between distinct neighbours. If there are more distinct values than bins, each threshold ends a bin that holds an
// equal share of the rows not yet binned. So a value with many rows takes one bin, and the other bins stay fine.
template <class Item>
std::vector<float> quantile_cuts(std::span<const Item> values, Index maximum) {
  double rows = 0;
  for (const auto& one : values) rows += one.rows;
  const Index boundaries = std::ssize(values) - 1;
  std::vector<float> cuts;
  double begin = 0, below = 0;
  for (std::size_t i = 1; i < values.size() && static_cast<Index>(cuts.size()) < maximum; ++i) {
    below += values[i - 1].rows;
    const double share = (rows - begin) / static_cast<double>(maximum + 1 - static_cast<Index>(cuts.size()));
    if (boundaries > maximum && below - begin < share) continue;
    const float cut = between(values[i - 1].value, values[i].value);
    if (std::isinf(cut)) break;  // there is no finite threshold between the largest float and infinity
    cuts.push_back(cut);
    begin = below;
  }
  return cuts;
}

template <class Item>
std::vector<float> cuts_of(std::span<const Item> values, bool has_missing, Index maximum) {
  std::vector<float> cuts;
  if (values.empty()) return cuts;
  const float minimum = values.front().value;
  if (has_missing && std::isfinite(minimum)) cuts.push_back(minimum);
  const auto quantiles = quantile_cuts(values, maximum - std::ssize(cuts));
  cuts.insert(cuts.end(), quantiles.begin(), quantiles.end());
  return cuts;
}

struct WeightedValue {
  float value;
  double rows;  // the sum of the weights of rows with this value
};

std::vector<float> weighted_cuts(const Inputs& x, Index column, Index maximum, RowWeights weights) {
  std::vector<WeightedValue> cells, values;
  bool has_missing = false;
  for (Index row = 0; row < x.rows(); ++row) {
    const float value = x(row, column);
    if (std::isnan(value))
      has_missing = true;
    else
      cells.push_back({value, weights[static_cast<std::size_t>(row)]});
  }
  std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  for (const WeightedValue& one : cells) {
    if (values.empty() || values.back().value != one.value) values.push_back({one.value, 0});
    values.back().rows += one.rows;
  }
  return cuts_of(std::span<const WeightedValue>(values), has_missing, maximum);
}

}  // namespace

std::vector<std::vector<float>> thresholds(const Inputs& x, Index maximum, int threads, RowWeights weights) {
  const TracedPart traced("cuts");
  if (!weights.empty()) {
    std::vector<std::vector<float>> cuts(static_cast<std::size_t>(x.cols()));
    parallel_blocks(x.cols(), 1, threads, [&](Index column, Index) {
      cuts[static_cast<std::size_t>(column)] = weighted_cuts(x, column, maximum, weights);
    });
    return cuts;
  }
  const auto sketches = sketches_of(x, threads);
  std::vector<std::vector<float>> cuts(sketches.size());
  for (std::size_t column = 0; column < cuts.size(); ++column) {
    const ValueSketch values = sketches[column].values();
    cuts[column] = cuts_of(values.items(), sketches[column].has_missing(), maximum);
  }
  return cuts;
}

namespace {

constexpr Index max_thresholds = 65'534;  // bin numbers have two bytes, and the last bin is for missing cells

// The number of the `count` ascending thresholds that are at most `value`. This is a binary search without branches: the
// processor cannot predict the comparisons, and a misprediction costs more than the few steps saved.
Index reached(const float* cuts, Index count, float value) {
  const float* from = cuts;
  while (count > 0) {
    const Index half = (count + 1) / 2;
    from += from[half - 1] <= value ? half : 0;
    count -= half;
  }
  return from - cuts;
}

template <class Bin>
void fill(const Inputs& x, const std::vector<std::vector<float>>& cuts, int threads, std::vector<Bin>& cells) {
  const TracedPart traced("bins");
  const Index columns = x.cols();
  cells.resize(static_cast<std::size_t>(x.rows() * columns));
  parallel_blocks(x.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index column = 0; column < columns; ++column) {
      const auto& here = cuts[static_cast<std::size_t>(column)];
      const auto missing_bin = static_cast<Bin>(here.size() + 1);
      for (Index row = begin; row < end; ++row) {
        const float value = x(row, column);
        cells[static_cast<std::size_t>(row * columns + column)] =
            std::isnan(value) ? missing_bin : static_cast<Bin>(reached(here.data(), std::ssize(here), value));
      }
    }
  });
}

}  // namespace

BinnedInputs::BinnedInputs(const Inputs& x, Index maximum, int threads, RowWeights weights)
    : BinnedInputs(x, thresholds(x, std::clamp<Index>(maximum - 2, 1, max_thresholds), threads, weights), threads) {}

BinnedInputs::BinnedInputs(const Inputs& x, std::vector<std::vector<float>> cuts, int threads)
    : rows_(x.rows()), cuts_(std::move(cuts)) {
  const bool fits_a_byte = std::all_of(cuts_.begin(), cuts_.end(), [](const auto& column) { return column.size() < 255; });
  if (!fits_a_byte) cells_.emplace<std::vector<std::uint16_t>>();
  std::visit([&](auto& cells) { fill(x, cuts_, threads, cells); }, cells_);
}

BinnedInputs::~BinnedInputs() = default;

const ColumnBins& BinnedInputs::by_column(int threads) const {
  std::call_once(column_bins_made_, [&] { column_bins_ = std::make_unique<const ColumnBins>(*this, threads); });
  return *column_bins_;
}

namespace {

constexpr Index cells_of_cache = 1 << 20;

}  // namespace

ColumnBins::ColumnBins(const BinnedInputs& bins, int threads) : bins_(bins) {
  if (bins.rows() * bins.columns() <= cells_of_cache) return;
  const TracedPart traced("bins");
  rows_ = bins.rows();
  bins.visit([&]<class Bin>(const Bin* cells) {
    auto& copy = cells_.emplace<std::vector<Bin>>(static_cast<std::size_t>(rows_ * bins.columns()));
    parallel_blocks(rows_, 1 << 12, threads, [&](Index begin, Index end) {
      for (Index column = 0; column < bins.columns(); ++column)
        for (Index row = begin; row < end; ++row)
          copy[static_cast<std::size_t>(column * rows_ + row)] = cells[row * bins.columns() + column];
    });
  });
}

}  // namespace taut
