// Inputs as a growing tree sees them: for each cell the number of thresholds that it has reached, in one byte or two.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <variant>
#include <vector>

namespace taut {

// A column with m thresholds has the bins 0 ... m for its values and m + 1 for missing cells. A cell lies below threshold j exactly
// if its bin is at most j, so a split needs no floats.
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
