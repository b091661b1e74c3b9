#include <taut/report/bins.hpp>

#include <taut/core/text.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/answer.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

ExpectedRanges::ExpectedRanges(const ScoreDistribution& distribution, double level, Index test_rows, Index groups,
                               std::vector<CoverageStratum> strata)
    : strata_(std::move(strata)),
      calibration_rows_(distribution.rows()),
      rank_(distribution.rank(level)),
      last_rank_(std::max(rank_, distribution.last_rank(level))),
      test_rows_(test_rows),
      groups_(std::max<Index>(1, groups)) {}

CountRange ExpectedRanges::computed(Index rows, Index last_rank) const {
  const double probability = rows == test_rows_ ? band_probability : 1 - (1 - band_probability) / static_cast<double>(groups_);
  if (!strata_.empty()) {
    const Band band = band_of_strata(rows, probability);
    return {static_cast<Index>(std::ceil(band.low * static_cast<double>(rows) - 1e-9)),
            static_cast<Index>(std::floor(band.high * static_cast<double>(rows) + 1e-9))};
  }
  const auto count = [&](double share) { return static_cast<Index>(std::llround(share * static_cast<double>(rows))); };
  return {count(coverage_band(rows, calibration_rows_, rank_, probability).low),
          count(coverage_band(rows, calibration_rows_, last_rank, probability).high)};
}

Band ExpectedRanges::band_of_strata(Index rows, double probability) const {
  if (rows == test_rows_) return CoverageSpread(strata_).band(probability);
  CoverageStratum weakest = strata_.front();
  Index units = 0;
  for (const CoverageStratum& one : strata_) {
    units += one.units;
    const bool is_certain = !(one.hits > 0 && one.misses > 0), was_certain = !(weakest.hits > 0 && weakest.misses > 0);
    if (was_certain || (!is_certain && one.hits + one.misses < weakest.hits + weakest.misses)) weakest = one;
  }
  weakest.units = std::max<Index>(1, rows * units / std::max<Index>(1, test_rows_));
  return CoverageSpread(std::span(&weakest, 1)).band(probability);
}

CountRange ExpectedRanges::of(Index rows) const {
  if (rows <= 0) return {};
  const auto found = known_.find(rows);
  return found != known_.end() ? found->second : known_.emplace(rows, computed(rows, last_rank_)).first->second;
}

Verdict ExpectedRanges::judge(Index covered, Index rows) const {
  const CountRange range = of(rows);
  return covered < range.minimum ? Verdict::too_low : covered > range.maximum ? Verdict::too_high : Verdict::as_expected;
}

Index ExpectedRanges::max_without_ties() const { return computed(test_rows_, rank_).maximum; }

namespace {

constexpr std::size_t longest_category = 40;

Bins bins_of_numbers(const TableView& table, Index column, Index maximum) {
  Rows known;
  Bins result;
  result.bin_of_row.resize(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    if (!std::isnan(table(row, column))) known.push_back(row);
  std::sort(known.begin(), known.end(), [&](Index a, Index b) { return table(a, column) < table(b, column); });
  const std::size_t n = known.size(), parts = static_cast<std::size_t>(maximum);
  std::size_t begin = 0;
  for (std::size_t part = 0; part < parts && begin < n; ++part) {
    std::size_t end = (part + 1) * n / parts;
    if (end <= begin) continue;
    while (end < n && table(known[end], column) == table(known[end - 1], column)) ++end;
    const double low = table(known[begin], column), high = table(known[end - 1], column);
    const auto bin = static_cast<std::uint8_t>(result.bins.size());
    for (std::size_t i = begin; i < end; ++i) result.bin_of_row[static_cast<std::size_t>(known[i])] = bin;
    const bool single = low == high;
    const std::string name = single ? number_text(low, 4) : number_text(low) + " to " + number_text(high);
    result.bins.push_back({name, (single ? " is " : " is from ") + name, low, high, static_cast<Index>(end - begin)});
    begin = end;
  }
  return result;
}

Bins bins_of_categories(const TableView& table, Index column, Index maximum) {
  const Column& category = table.columns()[static_cast<std::size_t>(column)];
  std::vector<Index> counts(category.categories.size() + 1);  // the last one counts values that are not in the training rows
  for (Index row = 0; row < table.rows(); ++row)
    if (const double code = table(row, column); !std::isnan(code)) ++counts[static_cast<std::size_t>(code)];
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  while (!order.empty() && counts[order.back()] == 0) order.pop_back();
  const std::size_t own = order.size() > static_cast<std::size_t>(maximum) ? static_cast<std::size_t>(maximum) - 1 : order.size();
  std::vector<std::uint8_t> bin_of(counts.size(), static_cast<std::uint8_t>(own));
  Bins result;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < own) {
      bin_of[order[i]] = static_cast<std::uint8_t>(i);
      const bool known = order[i] < category.categories.size();
      const std::string name = known ? shortened(category.categories[order[i]], longest_category) : "not in the training rows";
      result.bins.push_back({name, " is " + name, missing, missing, counts[order[i]]});
    } else {
      if (i == own) result.bins.push_back({"all others", " is another value", missing, missing, 0});
      result.bins.back().rows += counts[order[i]];
    }
  }
  result.bin_of_row.resize(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    if (const double code = table(row, column); !std::isnan(code))
      result.bin_of_row[static_cast<std::size_t>(row)] = bin_of[static_cast<std::size_t>(code)];
  return result;
}

}  // namespace

std::vector<Index> Bins::count(std::span<const std::uint8_t> covered) const {
  std::vector<Index> counts(bins.size());
  for (std::size_t i = 0; i < covered.size(); ++i) counts[bin_of_row[i]] += covered[i];
  return counts;
}

Bins bins_along(const TableView& table, Index column, Index maximum) {
  const bool is_categorical = table.columns()[static_cast<std::size_t>(column)].is_categorical();
  Bins result = is_categorical ? bins_of_categories(table, column, maximum) : bins_of_numbers(table, column, maximum);
  const auto last = static_cast<std::uint8_t>(result.bins.size());
  Index absent = 0;
  for (Index row = 0; row < table.rows(); ++row) {
    if (!std::isnan(table(row, column))) continue;
    result.bin_of_row[static_cast<std::size_t>(row)] = last;
    ++absent;
  }
  if (absent > 0) result.bins.push_back({"missing", " is missing", missing, missing, absent});
  const std::string name = shortened(table.columns()[static_cast<std::size_t>(column)].name, longest_category);
  for (Bin& bin : result.bins) bin.words.insert(0, name);
  return result;
}

double round_cut(double low, double high) {
  if (low < 0 && 0 <= high) return 0;
  const double middle = low + 0.5 * (high - low);
  for (int digits = 1; digits <= 17; ++digits) {
    for (const double near : {middle, high}) {
      const double candidate = std::isfinite(near) ? *parse_number(print_rounded(near, digits)) : high;
      if (low < candidate && candidate <= high) return candidate;
    }
  }
  return high;
}

namespace {

constexpr Index max_categories = 10;

Bins bins_of(const TableView& features, Index column) {
  const bool is_categorical = features.columns()[static_cast<std::size_t>(column)].is_categorical();
  return bins_along(features, column, is_categorical ? max_categories : coverage_groups(features.rows()));
}

}  // namespace

Index ChartColumns::groups() const {
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

ChartColumns columns_to_draw(const TableView& features, std::span<const double> width, Index maximum) {
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
    if (static_cast<Index>(candidates.size()) <= 2 * maximum) continue;
    // Keep few candidates: the bins of all columns of a wide table would take as much memory as the table.
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    candidates.resize(static_cast<std::size_t>(maximum));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(maximum)));
  ChartColumns result;
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
