#include <taut/report/failures.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/report/answer.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

// The number of missing covered rows, in units proportional to a standard deviation. Only used for sorting.
double shortfall(const Failure& failure) {
  return static_cast<double>(failure.minimum - failure.covered) / std::sqrt(static_cast<double>(failure.rows));
}

std::vector<Failure> low_bins(const LevelGroups& groups, const ChartColumns& drawn, const ExpectedRanges& expected,
                              const std::vector<WeakGroup>& by_size) {
  std::vector<Failure> bins;
  const auto add = [&](const std::string& words, Index rows, Index covered) {
    if (expected.judge(covered, rows) == Verdict::too_low) bins.push_back({{words, rows, covered}, expected.of(rows).minimum});
  };
  // A single bin contains all rows. The headline is about these already.
  if (by_size.size() > 1)
    for (const WeakGroup& part : by_size) add(part.words, part.rows, part.covered);
  for (std::size_t column = 0; column < drawn.bins.size(); ++column) {
    const std::vector<Bin>& own = drawn.bins[column].bins;
    if (own.size() < 2) continue;
    for (std::size_t bin = 0; bin < own.size(); ++bin) add(own[bin].words, own[bin].rows, groups.covered[column][bin]);
  }
  std::stable_sort(bins.begin(), bins.end(), [](const Failure& a, const Failure& b) { return shortfall(a) > shortfall(b); });
  return bins;
}

std::string signed_term(double weight, const std::string& name, bool first) {
  const std::string size = number_text(std::abs(weight), 2) + " " + name;
  return first ? (weight < 0 ? "−" : "") + size : (weight < 0 ? " − " : " + ") + size;
}

}  // namespace

std::vector<Failure> list_failures(const LevelGroups& groups, const ChartColumns& drawn, const ExpectedRanges& expected,
                                   const std::vector<WeakGroup>& by_size) {
  std::vector<Failure> failures;
  for (const Region& region : groups.regions)
    if (region.clearly_low)
      failures.push_back(
          {{region.words, region.rows, region.covered}, expected.of(region.rows).minimum, region.all_rows, region.all_covered});
  if (groups.slab && groups.slab->clearly_low) {
    const SlabDescription& slab = *groups.slab;
    failures.push_back({{slab.words, slab.rows, slab.covered}, expected.of(slab.rows).minimum, slab.all_rows, slab.all_covered});
  }
  for (Failure& bin : low_bins(groups, drawn, expected, by_size)) {
    const auto same = [&](const Failure& other) { return other.words == bin.words; };
    if (std::none_of(failures.begin(), failures.end(), same)) failures.push_back(std::move(bin));
  }
  return failures;
}

SlabDescription describe_slab(const TableView& features, const MatrixF& inputs, std::span<const Index> columns,
                              const HeldOutSlab& found, std::span<const std::uint8_t> covered, const ExpectedRanges& expected) {
  constexpr std::size_t max_terms = 4;
  constexpr double clear = 0.25;  // standard deviations from the mean
  const Slab& slab = found.slab;
  std::vector<std::size_t> order(slab.direction.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(slab.direction[a]) > std::abs(slab.direction[b]); });
  const Rows inside = slab.inside(inputs);
  std::vector<std::string> parts;
  std::string formula;
  for (std::size_t i = 0; i < std::min(order.size(), max_terms); ++i) {
    const auto input = static_cast<Index>(order[i]), from = columns[order[i]];
    const Column& column = features.columns()[static_cast<std::size_t>(from)];
    const bool is_part = std::count(columns.begin(), columns.end(), from) > 1;  // for example the month of a date
    const std::string name = shortened(column.name, 24);
    formula += signed_term(slab.direction[order[i]], (is_part ? "a part of " : "") + name, i == 0);
    double mean = 0;
    for (const Index row : inside) mean += inputs(row, input) / static_cast<double>(std::max<std::size_t>(1, inside.size()));
    const bool has_order = !is_part && !column.is_categorical();  // the codes of categories have no order
    if (parts.size() < 2 && std::abs(mean) > clear && has_order) parts.push_back((mean > 0 ? "high " : "low ") + name);
  }
  if (order.size() > max_terms) formula += " + …";
  SlabDescription result;
  result.formula = format_text("{} ≤ {} ≤ {}", number_text(slab.low, 2), formula, number_text(slab.high, 2));
  result.words = parts.empty() ? result.formula + " (columns standardised)" : "the rows have mostly " + join(parts, " and ");
  result.rows = found.rows;
  result.covered = static_cast<Index>(std::llround(found.coverage * static_cast<double>(found.rows)));
  result.all_rows = static_cast<Index>(inside.size());
  for (const Index row : inside) result.all_covered += covered[static_cast<std::size_t>(row)];
  result.clearly_low = expected.judge(result.covered, result.rows) == Verdict::too_low &&
                       expected.judge(result.all_covered, result.all_rows) == Verdict::too_low;
  return result;
}

}  // namespace taut
