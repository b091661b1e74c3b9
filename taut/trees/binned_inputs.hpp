// Binned inputs for growing trees: the thresholds of each column, and the bin of every cell, stored by rows and by columns.
#pragma once

#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

namespace taut {

// The distribution of the values of a column in bounded memory, for any number of rows: values in ascending order, each with a
// number of rows. With at most `capacity` distinct values the counts are exact. With more, neighbours are counted as the largest
// of them, in groups of about 1/capacity of the rows; the smallest and the largest value are always kept. Sketches can be merged.
// The number of rows below a value is then off by at most 1/capacity of the rows for each time that a sketch was shortened.
class ValueSketch {
 public:
  struct Item {
    float value;
    std::uint32_t rows;

    bool operator==(const Item&) const = default;
  };
  static constexpr std::size_t capacity = 1 << 14;

  ValueSketch() = default;
  // Takes values in any order, without NaN, and sorts them in place. The counts are exact even above the capacity.
  explicit ValueSketch(std::vector<float>& values);

  std::span<const Item> items() const { return items_; }
  bool empty() const { return items_.empty(); }
  void add(const ValueSketch& other);
  void shorten();  // reduces the sketch to the capacity

 private:
  std::vector<Item> items_;
};

// Sorts values without NaN in ascending order. For tens of thousands of values it is ten times as fast as std::sort.
void sort_floats(std::vector<float>& values);

// The thresholds at which a tree may split each column: at most `maximum`, ascending, halfway between neighbouring values. If the
// column has missing cells, the first threshold is the smallest value, so that a tree can separate missing cells from all others.
// All rows are used. Rare values of a column with few distinct values get their own bin for any number of rows. Quantiles of more
// than 65,536 rows are off by at most 0.1 % of the rows (ValueSketch). With weights a row counts as many rows, and all quantiles
// are exact.
std::vector<std::vector<float>> thresholds(const Inputs& x, Index maximum, int threads, RowWeights weights = {});

class ColumnBins;

// The bins of one column that go right at a split: `count` bins starting with `first`. The bin of missing cells is the last one,
// so it either ends the range or follows it.
struct RightBins {
  std::uint32_t first, count;

  bool contain(std::uint32_t bin) const { return bin - first < count; }  // below `first` the difference wraps around
};

// The bin of each cell is the number of thresholds that it has reached, in one or two bytes. A column with m thresholds has the
// bins 0 ... m for its values and m + 1 for missing cells. A cell is below threshold j exactly if its bin is at most j, so a
// split needs no floats.
class BinnedInputs {
 public:
  // At most `maximum` bins per column, one of them for missing cells. The thresholds are those of thresholds().
  BinnedInputs(const Inputs& x, Index maximum, int threads, RowWeights weights = {});
  // With given thresholds of each column, ascending.
  BinnedInputs(const Inputs& x, std::vector<std::vector<float>> cuts, int threads);
  ~BinnedInputs();
  BinnedInputs(const BinnedInputs&) = delete;
  BinnedInputs& operator=(const BinnedInputs&) = delete;

  Index rows() const { return rows_; }
  Index columns() const { return std::ssize(cuts_); }
  const std::vector<float>& cuts(Index column) const { return cuts_[static_cast<std::size_t>(column)]; }
  Index missing_bin(Index column) const { return std::ssize(cuts(column)) + 1; }

  // Calls work(cells) with a pointer to the first row. The next row starts columns() cells later.
  template <class Work>
  decltype(auto) visit(Work&& work) const {
    return std::visit([&](const auto& cells) -> decltype(auto) { return work(cells.data()); }, cells_);
  }

  // The bins by columns. They are made on the first call and shared by all trainings; several threads may call this.
  const ColumnBins& by_column(int threads) const;

 private:
  Index rows_;
  std::vector<std::vector<float>> cuts_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> cells_;
  mutable std::once_flag column_bins_made_;
  mutable std::unique_ptr<const ColumnBins> column_bins_;
};

// A copy of the bins, stored column by column, for partitioning the rows of a node by one column. Deep in a tree the rows of a
// node are far apart. Stored by rows, a cache line holds a few rows; stored by columns, it holds 64. If all bins fit into a
// cache, this makes no difference, and no copy is made.
class ColumnBins {
 public:
  ColumnBins(const BinnedInputs& bins, int threads);

  // Calls work(cells, stride): the cell of a row is cells[row * stride].
  template <class Work>
  void visit(Index column, Work&& work) const {
    if (rows_ == 0) return bins_.visit([&](const auto* cells) { work(cells + column, bins_.columns()); });
    std::visit([&](const auto& cells) { work(cells.data() + column * rows_, Index{1}); }, cells_);
  }

 private:
  const BinnedInputs& bins_;
  Index rows_ = 0;  // 0: no copy
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> cells_;
};

}  // namespace taut
