// Inputs as a growing tree sees them: where columns may be cut, and the bin of every cell, by rows and by columns.
#pragma once

#include <taut/core/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

namespace taut {

// How the values of a column are distributed, in bounded memory, over any number of rows.

// Values in ascending order, each with the number of rows that it stands for. As long as there are no more different values than
// `capacity`, nothing is lost: every value has its own count. Beyond, neighbours are counted with the largest of them, in groups
// of about one row in `capacity`; the smallest and the largest value always stay. Two sketches become one of all their rows; what
// is counted below a value is then off by at most one row in `capacity` for each time that a sketch was shortened on the way.
class ValueSketch {
 public:
  struct Item {
    float value;
    std::uint32_t rows;

    bool operator==(const Item&) const = default;
  };
  static constexpr std::size_t capacity = 1 << 14;

  ValueSketch() = default;
  // Of values in any order, none of them NaN; they are sorted in place. Nothing is lost yet, whatever the capacity.
  explicit ValueSketch(std::vector<float>& values);

  std::span<const Item> items() const { return items_; }
  bool empty() const { return items_.empty(); }
  void add(const ValueSketch& other);
  void shorten();  // to the capacity

 private:
  std::vector<Item> items_;
};

// Ascending; without NaN. For tens of thousands of values ten times as fast as std::sort.
void sort_floats(std::vector<float>& values);

// Where a tree may cut a column: the thresholds that boosting chooses from.

// For each column at most `most` thresholds, ascending, halfway between neighbouring values. Where cells are missing the first
// one is the smallest value itself, so that a tree can tell missing cells from all others. All rows count: rare values of a
// column with few different ones get their own bin however many rows there are, and quantiles of more than 65,536 rows are off by
// at most one row in a thousand (ValueSketch).
std::vector<std::vector<float>> thresholds(const Inputs& x, Index most, int threads);

// Inputs as a growing tree sees them: for each cell the number of thresholds that it has reached, in one byte or two.

class ColumnBins;

// The bins of one column that go right at a split: `count` of them from `first` on. The bin of missing cells is the last one, so
// it ends the range or comes just after it.
struct RightBins {
  std::uint32_t first, count;

  bool contain(std::uint32_t bin) const { return bin - first < count; }  // below `first` the difference wraps around
};

// A column with m thresholds has the bins 0 ... m for its values and m + 1 for missing cells. A cell lies below threshold j
// exactly if its bin is at most j, so a split needs no floats.
class BinnedInputs {
 public:
  // At most `most` bins in a column, one of them for missing cells; the thresholds as chosen above.
  BinnedInputs(const Inputs& x, Index most, int threads);
  // The thresholds of each column, ascending.
  BinnedInputs(const Inputs& x, std::vector<std::vector<float>> cuts, int threads);
  ~BinnedInputs();
  BinnedInputs(const BinnedInputs&) = delete;
  BinnedInputs& operator=(const BinnedInputs&) = delete;

  Index rows() const { return rows_; }
  Index columns() const { return std::ssize(cuts_); }
  const std::vector<float>& cuts(Index column) const { return cuts_[static_cast<std::size_t>(column)]; }
  Index missing_bin(Index column) const { return std::ssize(cuts(column)) + 1; }

  // Calls work(cells) with a pointer to the first row; the next one stands columns() cells further.
  template <class Work>
  decltype(auto) visit(Work&& work) const {
    return std::visit([&](const auto& cells) -> decltype(auto) { return work(cells.data()); }, cells_);
  }

  // Made on the first call, for all trainings that share these bins; may be called from several threads.
  const ColumnBins& by_column(int threads) const;

 private:
  Index rows_;
  std::vector<std::vector<float>> cuts_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> cells_;
  mutable std::once_flag column_bins_made_;
  mutable std::unique_ptr<const ColumnBins> column_bins_;
};

// The bins once more, column by column: what tells the rows of a node apart is one column.

// Deep in a tree the rows of a node stand far apart, and each look at a cell of theirs fetches a line of the cache that holds a
// few rows; in a column it holds 64. Where all bins fit into a cache that makes no difference, and no copy is made.
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
