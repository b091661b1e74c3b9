#include <taut/trees/cuts.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/trees/value_sketch.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace taut {

namespace {

// Rows whose values are sorted at once, so that they stay in a cache. Up to so many rows all cuts are exact quantiles.
constexpr Index rows_of_block = 1 << 16;
constexpr Index blocks_at_once = 64;  // of all columns: their sketches wait in memory to be merged

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

// The blocks of a column, which come in order. Two sketches are merged when they stand for as many blocks, as digits carry: so
// each row is merged as often as the number of blocks has binary digits, and what comes out depends on the rows alone.
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
  const Index columns = x.cols(), blocks = (x.rows() + rows_of_block - 1) / rows_of_block;
  const Index at_once = std::clamp<Index>(blocks_at_once / std::max<Index>(1, columns), 1, std::max<Index>(1, blocks));
  std::vector<SketchOfColumn> sketches(static_cast<std::size_t>(columns));
  std::vector<BlockOfColumn> made(static_cast<std::size_t>(at_once * columns));
  for (Index first = 0; first < blocks; first += at_once) {
    const Index count = std::min(at_once, blocks - first);
    parallel_blocks(count * columns, 1, threads, [&](Index which, Index) {
      const Index begin = (first + which / columns) * rows_of_block;
      BlockOfColumn& block = made[static_cast<std::size_t>(which)];
      block = values_of(x, which % columns, begin, std::min(x.rows(), begin + rows_of_block));
      if (blocks > 1) block.values.shorten();
    });
    parallel_blocks(columns, 1, threads, [&](Index column, Index) {
      for (Index block = 0; block < count; ++block)
        sketches[static_cast<std::size_t>(column)].add(std::move(made[static_cast<std::size_t>(block * columns + column)]));
    });
  }
  return sketches;
}

// Thresholds between distinct neighbours. Where there are more distinct values than bins, each threshold ends a bin that holds an
// equal share of the rows not yet binned, so that a value with many rows takes one bin and leaves the other bins fine.
std::vector<float> quantile_cuts(std::span<const ValueSketch::Item> values, Index most) {
  std::size_t rows = 0;
  for (const auto& one : values) rows += one.rows;
  const Index boundaries = std::ssize(values) - 1;
  std::vector<float> cuts;
  std::size_t begin = 0, below = 0;
  for (std::size_t i = 1; i < values.size() && static_cast<Index>(cuts.size()) < most; ++i) {
    below += values[i - 1].rows;
    const double share = static_cast<double>(rows - begin) / static_cast<double>(most + 1 - static_cast<Index>(cuts.size()));
    if (boundaries > most && static_cast<double>(below - begin) < share) continue;
    const float cut = between(values[i - 1].value, values[i].value);
    if (std::isinf(cut)) break;  // between the largest number and infinity there is nothing to cut at
    cuts.push_back(cut);
    begin = below;
  }
  return cuts;
}

}  // namespace

std::vector<std::vector<float>> thresholds(const Inputs& x, Index most, int threads) {
  const TracedPart traced("cuts");
  const auto sketches = sketches_of(x, threads);
  std::vector<std::vector<float>> cuts(sketches.size());
  for (std::size_t column = 0; column < cuts.size(); ++column) {
    const ValueSketch values = sketches[column].values();
    if (values.empty()) continue;
    auto& chosen = cuts[column];
    const float least = values.items().front().value;
    if (sketches[column].has_missing() && std::isfinite(least)) chosen.push_back(least);
    const auto quantiles = quantile_cuts(values.items(), most - std::ssize(chosen));
    chosen.insert(chosen.end(), quantiles.begin(), quantiles.end());
  }
  return cuts;
}

}  // namespace taut
