#include <taut/trees/cuts.hpp>

#include <taut/core/threads.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace taut {

namespace {

// More rows than this tell no more about 256 quantiles than their own noise.
constexpr Index most_rows = 1 << 16;

// A threshold t with a < t <= b, near the middle.
float between(float a, float b) {
  const float middle = a + (b - a) / 2;
  return middle > a ? middle : b;
}

// Every n-th row, and the extremes of all: a value beyond the last limit would be misplaced in training.
std::vector<float> sorted_sample(const Inputs& x, Index column) {
  const Index step = (x.rows() + most_rows - 1) / most_rows;
  std::vector<float> values;
  float least = std::numeric_limits<float>::infinity(), most = -least;
  for (Index row = 0; row < x.rows(); ++row) {
    const float value = x(row, column);
    if (std::isnan(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
    if (row % step == 0) values.push_back(value);
  }
  if (least > most) return {};
  values.insert(values.end(), {least, most});
  std::sort(values.begin(), values.end());
  return values;
}

// Thresholds between distinct neighbours. Where there are more neighbours than places, each threshold ends a bin that holds
// its fair share of the rows not yet binned, so that a value with many rows takes one bin and leaves the others fine.
std::vector<float> thresholds(const std::vector<float>& sorted, Index most) {
  const auto distinct = std::count_if(sorted.begin() + 1, sorted.end(), [previous = sorted.front()](float value) mutable {
    return std::exchange(previous, value) != value;
  });
  std::vector<float> cuts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < sorted.size() && static_cast<Index>(cuts.size()) < most; ++i) {
    if (sorted[i] == sorted[i - 1]) continue;
    const double share =
        static_cast<double>(sorted.size() - begin) / static_cast<double>(most + 1 - static_cast<Index>(cuts.size()));
    if (distinct > most && static_cast<double>(i - begin) < share) continue;
    cuts.push_back(between(sorted[i - 1], sorted[i]));
    begin = i;
  }
  return cuts;
}

}  // namespace

MatrixF cut_points(const Inputs& x, Index bins, int threads) {
  MatrixF points = MatrixF::Constant(bins, x.cols(), std::numeric_limits<float>::quiet_NaN());
  parallel_blocks(x.cols(), 1, threads, [&](Index column, Index) {
    const auto sorted = sorted_sample(x, column);
    if (sorted.empty()) return;
    Index row = 0;
    points(row++, column) = sorted.front();
    for (const float cut : thresholds(sorted, bins - 2)) points(row++, column) = cut;
    if (sorted.back() > points(row - 1, column)) points(row, column) = sorted.back();
  });
  return points;
}

}  // namespace taut
