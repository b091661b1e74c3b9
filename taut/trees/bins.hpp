// Inputs as a growing tree sees them: for each cell the number of thresholds that it has reached, in one byte or two.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <variant>
#include <vector>

namespace taut {

// The bins of one column that go to the right at a split: `count` of them from `first` on. Those of missing cells are the last,
// so that they end the range or stand just behind it.
struct RightBins {
  std::uint32_t first, count;

  bool contain(std::uint32_t bin) const { return bin - first < count; }  // below `first` the difference wraps around
};

// A column with m thresholds has the bins 0 ... m for its values and m + 1 for missing cells. A cell lies below threshold j
// exactly if its bin is at most j, so a split needs no floats.
class Bins {
 public:
  static constexpr Index most_thresholds = 65'534;

  // `cuts`: the thresholds of each column, ascending.
  Bins(const Inputs& x, const std::vector<std::vector<float>>& cuts, int threads);

  Index rows() const { return rows_; }
  Index columns() const { return std::ssize(missing_); }
  Index missing_bin(Index column) const { return missing_[static_cast<std::size_t>(column)]; }

  // Calls work(cells) with a pointer to the first row; the next one stands columns() cells further.
  template <class Work>
  decltype(auto) visit(Work&& work) const {
    return std::visit([&](const auto& cells) -> decltype(auto) { return work(cells.data()); }, cells_);
  }

 private:
  Index rows_;
  std::vector<Index> missing_;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> cells_;
};

}  // namespace taut
