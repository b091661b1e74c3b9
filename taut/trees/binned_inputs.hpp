// Inputs as a growing tree sees them: for each cell the number of thresholds that it has reached, in one byte or two.
#pragma once

#include <taut/core/types.hpp>

#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

namespace taut {

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
  // At most `most` bins in a column, one of them for missing cells; the thresholds as cuts.hpp chooses them.
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

}  // namespace taut
