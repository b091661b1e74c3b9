#include <taut/report/drawn_columns.hpp>

#include <taut/metric/conditional.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_categories = 10;

Bins bins_of(const TableView& features, Index column) {
  const bool is_categorical = features.columns()[static_cast<std::size_t>(column)].is_categorical();
  return bins_along(features, column, is_categorical ? most_categories : coverage_groups(features.rows()));
}

}  // namespace

Index DrawnColumns::groups() const {
  Index count = 0;
  for (const Bins& column : bins) count += static_cast<Index>(column.bins.size());
  return count;
}

double share_explained(const Bins& bins, std::span<const double> width) {
  std::vector<double> sum(bins.bins.size()), count(bins.bins.size());
  double total = 0, squares = 0, n = 0;
  for (std::size_t i = 0; i < width.size(); ++i) {
    const double value = std::log(width[i]);
    if (!std::isfinite(value)) continue;
    sum[bins.bin_of_row[i]] += value;
    count[bins.bin_of_row[i]] += 1;
    total += value;
    squares += value * value;
    n += 1;
  }
  const double all = squares - total * total / n;
  if (!(all > 1e-12 * squares)) return 0;
  double between = -total * total / n;
  for (std::size_t bin = 0; bin < sum.size(); ++bin)
    if (count[bin] > 0) between += sum[bin] * sum[bin] / count[bin];
  return between / all;
}

DrawnColumns columns_to_draw(const TableView& features, std::span<const double> width, Index most) {
  struct Candidate {
    Index column;
    double share;
    Bins bins;
  };
  const auto last = static_cast<Index>(features.columns().size()) - 1;
  std::vector<Candidate> candidates;
  for (Index column = 0; column < last; ++column) {
    Bins bins = bins_of(features, column);
    const double share = share_explained(bins, width);
    candidates.push_back({column, share, std::move(bins)});
    if (static_cast<Index>(candidates.size()) <= 2 * most) continue;
    // Bins of all columns of a wide table would take as much memory as the table.
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    candidates.resize(static_cast<std::size_t>(most));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(most)));
  DrawnColumns result;
  result.left_out = last - static_cast<Index>(candidates.size());
  result.columns.push_back(last);
  result.bins.push_back(bins_of(features, last));
  for (Candidate& candidate : candidates) {
    result.columns.push_back(candidate.column);
    result.bins.push_back(std::move(candidate.bins));
  }
  return result;
}

}  // namespace taut
