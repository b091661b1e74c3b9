#include <taut/plan/other_folds.hpp>

#include <taut/core/random.hpp>

namespace taut {

namespace {

// Streams of random numbers that nothing else takes from the seed of a fit.
constexpr std::uint64_t stream_of_orders = 0x6f7264657200, stream_of_seeds = 0x736565647300;

std::uint64_t stream(std::uint64_t first, Index repeat) { return first + static_cast<std::uint64_t>(repeat); }

// Where groups begin, and the end of the last one.
Rows borders_of(Index rows, RowsView groups) {
  Rows borders;
  for (Index row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (row == 0 || groups.empty() || groups[at] != groups[at - 1]) borders.push_back(row);
  }
  borders.push_back(rows);
  return borders;
}

}  // namespace

OtherFolds other_folds(Index rows, RowsView groups, Index folds, std::uint64_t seed, Index repeat) {
  const Rows borders = borders_of(rows, groups);
  const Index n = std::ssize(borders) - 1;
  const Rows shuffled = Random(seed).fork(stream(stream_of_orders, repeat)).permutation(n);
  OtherFolds other;
  for (Index fold = 0; fold < folds; ++fold) {
    const Index begin = std::ssize(other.order);
    for (Index i = fold * n / folds; i < (fold + 1) * n / folds; ++i) {
      const auto unit = static_cast<std::size_t>(shuffled[static_cast<std::size_t>(i)]);
      for (Index row = borders[unit]; row < borders[unit + 1]; ++row) other.order.push_back(row);
    }
    other.folds.push_back({rows, begin, std::ssize(other.order)});
  }
  return other;
}

std::uint64_t seed_of_repeat(std::uint64_t seed, Index repeat) {
  return Random(seed).fork(stream(stream_of_seeds, repeat)).next();
}

}  // namespace taut
