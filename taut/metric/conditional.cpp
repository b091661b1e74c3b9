#include <taut/metric/conditional.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace taut {

std::vector<CoverageBin> coverage_by_bin(std::span<const double> values, Covered z, Index bins) {
  struct Row {
    double value;
    std::uint8_t z;
  };
  const auto n = static_cast<Index>(values.size());
  std::vector<Row> rows(values.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {values[i], z[i]};
  const auto nan_begin = std::partition(rows.begin(), rows.end(), [](const Row& row) { return !std::isnan(row.value); });
  std::sort(rows.begin(), nan_begin, [](const Row& a, const Row& b) { return a.value < b.value; });

  const auto numbers = static_cast<Index>(nan_begin - rows.begin());
  const auto at = [&](Index i) -> const Row& { return rows[static_cast<std::size_t>(i)]; };
  const auto equal = [](double low, double high) {
    return low == high || high - low <= 1e-9 * std::min(std::abs(low), std::abs(high));
  };
  std::vector<CoverageBin> result;
  const auto add = [&](Index begin, Index end) {
    Index hits = 0;
    for (Index i = begin; i < end; ++i) hits += at(i).z;
    const Index count = end - begin;
    result.push_back({at(begin).value, at(end - 1).value, count, static_cast<double>(hits) / static_cast<double>(count)});
  };
  Index begin = 0;
  for (Index bin = 0; bin < bins && begin < numbers; ++bin) {
    Index end = (bin + 1) * (numbers / bins) + std::min(bin + 1, numbers % bins);
    if (end <= begin) continue;
    const double last = at(end - 1).value;
    while (end < numbers && equal(last, at(end).value)) ++end;
    add(begin, end);
    begin = end;
  }
  if (numbers < n) add(numbers, n);
  return result;
}

double coverage_gap(std::span<const std::int64_t> groups, Covered z, double t) {
  struct Count {
    double rows = 0, hits = 0;
  };
  std::map<std::int64_t, Count> counts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Count& count = counts[groups[i]];
    count.rows += 1;
    count.hits += z[i];
  }
  double sum = 0;
  for (const auto& [group, count] : counts) sum += std::abs(count.hits / count.rows - t);
  return sum / static_cast<double>(counts.size());
}

double conditional_coverage_rmse(std::span<const double> true_coverage, double t) {
  double sum = 0;
  for (const double c : true_coverage) sum += (c - t) * (c - t);
  return std::sqrt(sum / static_cast<double>(true_coverage.size()));
}

}  // namespace taut
