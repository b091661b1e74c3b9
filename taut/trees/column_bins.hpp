// The bins once more, column by column: what tells the rows of a node apart is one column.
#pragma once

#include <taut/trees/binned_inputs.hpp>

#include <variant>
#include <vector>

namespace taut {

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
