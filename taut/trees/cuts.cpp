#include <taut/trees/cuts.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// More rows hardly improve quantiles this coarse.
constexpr Index most_rows = 1 << 16;

// A threshold t with a < t <= b, near the middle.
float between(float a, float b) {
  const float middle = a / 2 + b / 2;
  return middle > a && middle <= b ? middle : b;
}

// The values of at most most_rows rows, evenly spaced; ascending.
std::vector<float> sorted_sample(const Inputs& x, Index column, bool& has_missing) {
  const Index step = std::max<Index>(1, (x.rows() + most_rows - 1) / most_rows);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(x.rows() / step + 1));
  for (Index row = 0; row < x.rows(); row += step) {
    const float value = x(row, column);
    if (std::isnan(value)) {
      has_missing = true;
    } else {
      values.push_back(value);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

// Thresholds between distinct neighbours. Where there are more distinct values than bins, each threshold ends a bin that holds an
// equal share of the rows not yet binned, so that a value with many rows takes one bin and leaves the other bins fine.
std::vector<float> quantile_cuts(const std::vector<float>& sorted, Index most) {
  const auto boundaries = std::count_if(sorted.begin() + 1, sorted.end(), [previous = sorted.front()](float value) mutable {
    return std::exchange(previous, value) != value;
  });
  std::vector<float> cuts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < sorted.size() && static_cast<Index>(cuts.size()) < most; ++i) {
    if (sorted[i] == sorted[i - 1]) continue;
    const double share =
        static_cast<double>(sorted.size() - begin) / static_cast<double>(most + 1 - static_cast<Index>(cuts.size()));
    if (boundaries > most && static_cast<double>(i - begin) < share) continue;
    const float cut = between(sorted[i - 1], sorted[i]);
    if (std::isinf(cut)) break;  // between the largest number and infinity there is nothing to cut at
    cuts.push_back(cut);
    begin = i;
  }
  return cuts;
}

}  // namespace

std::vector<std::vector<float>> thresholds(const Inputs& x, Index most, int threads) {
  const TracedPart traced("cuts");
  std::vector<std::vector<float>> cuts(static_cast<std::size_t>(x.cols()));
  parallel_blocks(x.cols(), 1, threads, [&](Index column, Index) {
    bool has_missing = false;
    const auto sorted = sorted_sample(x, column, has_missing);
    if (sorted.empty()) return;
    auto& chosen = cuts[static_cast<std::size_t>(column)];
    if (has_missing && std::isfinite(sorted.front())) chosen.push_back(sorted.front());
    const auto quantiles = quantile_cuts(sorted, most - std::ssize(chosen));
    chosen.insert(chosen.end(), quantiles.begin(), quantiles.end());
  });
  return cuts;
}

}  // namespace taut
