#include <taut/report/regions.hpp>

#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/report/answer.hpp>
#include <taut/report/bins.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr int max_region_depth = 3;
constexpr std::size_t max_search_rows = 50000;  // to grow the tree, and the same number to evaluate it
constexpr std::size_t max_bins = 32;
constexpr double min_chi_square = 12;  // of a split: χ² with one degree of freedom exceeds it with probability 0.0005
constexpr Index min_held_out = 10;
constexpr std::size_t longest_name_of_region = 40;

std::string either(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

bool holds(std::uint64_t set, std::size_t bin) { return (set >> bin & 1) != 0; }

std::uint64_t all_of(std::size_t bins) { return (std::uint64_t{1} << bins) - 1; }

}  // namespace

RegionSearch::RegionSearch(const TableView& features, std::uint64_t seed) : features_(features) {
  const Rows order = Random(seed).permutation(features.rows());
  const std::size_t half = std::min(order.size() / 2, max_search_rows);
  search_rows_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half));
  held_out_rows_.assign(order.end() - static_cast<std::ptrdiff_t>(std::min(order.size() - half, max_search_rows)), order.end());
  min_rows_ = std::max<std::size_t>(20, half / 50);
  for (Index column = 0; column < static_cast<Index>(features.columns().size()); ++column) {
    const bool is_categorical = features.columns()[static_cast<std::size_t>(column)].is_categorical();
    columns_.push_back(is_categorical ? binned_categories(column) : binned_numbers(column));
    assign_rows(column, columns_.back());
  }
}

RegionSearch::BinnedColumn RegionSearch::binned_numbers(Index column) const {
  BinnedColumn result;
  result.name = features_.columns()[static_cast<std::size_t>(column)].name;
  std::vector<double> values;
  for (const Index row : search_rows_)
    if (const double value = features_(row, column); !std::isnan(value)) values.push_back(value);
  std::sort(values.begin(), values.end());
  // Any cut near a quantile will do; take the one with the fewest digits.
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part / max_bins * static_cast<double>(values.size()))];
  };
  for (std::size_t part = 1; part < max_bins && !values.empty(); ++part) {
    const double low = at(static_cast<double>(part) - 0.3), high = at(static_cast<double>(part) + 0.3);
    const double cut = low < high ? round_cut(low, high) : high;
    if (cut > values.front() && (result.cuts.empty() || cut > result.cuts.back())) result.cuts.push_back(cut);
  }
  result.bins = result.cuts.size() + 1;
  return result;
}

RegionSearch::BinnedColumn RegionSearch::binned_categories(Index column) const {
  const Column& category = features_.columns()[static_cast<std::size_t>(column)];
  BinnedColumn result;
  result.name = category.name;
  result.is_categorical = true;
  std::vector<Index> counts(category.categories.size() + 1);  // the last one counts values outside the list
  for (const Index row : search_rows_)
    if (const double code = features_(row, column); !std::isnan(code)) ++counts[static_cast<std::size_t>(code)];
  std::vector<std::size_t> order(category.categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  const std::size_t own = std::min(order.size(), max_bins - 1);
  result.bin_of_code.assign(counts.size(), static_cast<std::int16_t>(own));
  for (std::size_t i = 0; i < own; ++i) {
    result.bin_of_code[order[i]] = static_cast<std::int16_t>(i);
    result.categories.push_back(shortened(category.categories[order[i]], longest_name_of_region));
  }
  bool has_others = order.size() > own;
  for (Index row = 0; row < features_.rows() && !has_others; ++row) has_others = features_(row, column) == category.other_code();
  result.bins = own + (has_others ? 1 : 0);
  return result;
}

std::size_t RegionSearch::BinnedColumn::bin_of(double value) const {
  if (std::isnan(value)) return bins - 1;
  if (is_categorical) return static_cast<std::size_t>(bin_of_code[static_cast<std::size_t>(value)]);
  return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
}

void RegionSearch::assign_rows(Index column, BinnedColumn& binned) const {
  for (Index row = 0; row < features_.rows() && !binned.has_missing; ++row)
    binned.has_missing = std::isnan(features_(row, column));
  if (binned.has_missing) ++binned.bins;
  for (const Rows* rows : {&search_rows_, &held_out_rows_})
    for (const Index row : *rows) binned.bin_of_row.push_back(static_cast<std::uint8_t>(binned.bin_of(features_(row, column))));
}

// The gain of a split into parts with miss rates p and q is the reduction of the sum of squares, (p − q)² n_left n_right / n.
RegionSearch::Split RegionSearch::best_split(const Node& node, std::span<const std::uint8_t> covered) const {
  Split best;
  const auto n = static_cast<double>(node.rows.size());
  double all_missed = 0;
  for (const std::uint32_t row : node.rows) all_missed += covered[static_cast<std::size_t>(search_rows_[row])] == 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const BinnedColumn& column = columns_[j];
    std::vector<double> rows(column.bins), missed(column.bins);
    for (const std::uint32_t row : node.rows) {
      const std::uint8_t bin = column.bin_of_row[row];
      ++rows[bin];
      missed[bin] += covered[static_cast<std::size_t>(search_rows_[row])] == 0;
    }
    double left = 0, left_missed = 0;
    for (std::size_t bin = 0; bin < column.bins; ++bin) {
      // Numbers are cut between bins. Categories are split one against all others.
      const bool alone = column.is_categorical;
      left = (alone ? 0 : left) + rows[bin];
      left_missed = (alone ? 0 : left_missed) + missed[bin];
      const double right = n - left, right_missed = all_missed - left_missed;
      if (left < static_cast<double>(min_rows_) || right < static_cast<double>(min_rows_)) continue;
      const double difference = left_missed / left - right_missed / right;
      const double gain = difference * difference * left * right / n;
      if (gain > best.gain) best = {j, alone ? BinSet{1} << bin : (BinSet{2} << bin) - 1, gain};
    }
  }
  const double share = all_missed / n;
  if (!(best.gain > min_chi_square * share * (1 - share))) best.gain = 0;
  return best;
}

void RegionSearch::grow(Node node, std::span<const std::uint8_t> covered, int depth, std::vector<Node>& leaves) const {
  const Split split = depth < max_region_depth && node.rows.size() >= 2 * min_rows_ ? best_split(node, covered) : Split{};
  if (split.gain == 0) {
    leaves.push_back(std::move(node));
    return;
  }
  for (const BinSet side : {split.left, ~split.left}) {
    Node child{{}, node.allowed};
    child.allowed[split.column] &= side;
    for (const std::uint32_t row : node.rows)
      if (holds(side, columns_[split.column].bin_of_row[row])) child.rows.push_back(row);
    grow(std::move(child), covered, depth + 1, leaves);
  }
}

std::vector<Region> RegionSearch::find(std::span<const std::uint8_t> covered, double level,
                                       const ExpectedRanges& expected) const {
  Node root;
  root.rows.resize(search_rows_.size());
  std::iota(root.rows.begin(), root.rows.end(), 0U);
  for (const BinnedColumn& column : columns_) root.allowed.push_back(all_of(column.bins));
  std::vector<Node> leaves;
  grow(std::move(root), covered, 0, leaves);
  if (leaves.size() < 2) return {};

  std::vector<std::pair<double, const Node*>> weak;  // the excess of misses in standard deviations, and the leaf
  for (const Node& leaf : leaves) {
    double misses = 0;
    for (const std::uint32_t row : leaf.rows) misses += covered[static_cast<std::size_t>(search_rows_[row])] == 0;
    const auto n = static_cast<double>(leaf.rows.size());
    const double excess = (misses - n * (1 - level)) / std::sqrt(n * level * (1 - level));
    if (excess > 0) weak.emplace_back(excess, &leaf);
  }
  std::stable_sort(weak.begin(), weak.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  weak.resize(std::min(weak.size(), max_regions));
  std::vector<Region> regions;
  for (const auto& [excess, leaf] : weak) {
    Region region = judge(*leaf, covered, expected);
    const bool below = static_cast<double>(region.covered) < level * static_cast<double>(region.rows);
    if (region.rows >= min_held_out && below) regions.push_back(std::move(region));
  }
  std::stable_partition(regions.begin(), regions.end(), [](const Region& region) { return region.clearly_low; });
  return regions;
}

std::vector<std::size_t> RegionSearch::restricted_columns(const Node& leaf) const {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (leaf.allowed[j] != all_of(columns_[j].bins)) result.push_back(j);
  return result;
}

Region RegionSearch::judge(const Node& leaf, std::span<const std::uint8_t> covered, const ExpectedRanges& expected) const {
  Region region;
  region.words = words(leaf);
  const std::vector<std::size_t> restricted = restricted_columns(leaf);
  for (std::size_t i = 0; i < held_out_rows_.size(); ++i) {
    const auto inside = [&](std::size_t j) { return holds(leaf.allowed[j], columns_[j].bin_of_row[search_rows_.size() + i]); };
    if (!std::all_of(restricted.begin(), restricted.end(), inside)) continue;
    ++region.rows;
    region.covered += covered[static_cast<std::size_t>(held_out_rows_[i])];
  }
  Index search_covered = 0;
  for (const std::uint32_t row : leaf.rows) search_covered += covered[static_cast<std::size_t>(search_rows_[row])];
  region.search_coverage = static_cast<double>(search_covered) / static_cast<double>(leaf.rows.size());
  if (expected.judge(region.covered, region.rows) != Verdict::too_low) return region;
  count_all_rows(leaf, covered, region);
  region.clearly_low = expected.judge(region.all_covered, region.all_rows) == Verdict::too_low;
  return region;
}

// Charts count all rows. A clearly low region must therefore be low among all rows too, or a chart would contradict it.
void RegionSearch::count_all_rows(const Node& leaf, std::span<const std::uint8_t> covered, Region& region) const {
  const std::vector<std::size_t> restricted = restricted_columns(leaf);
  for (Index row = 0; row < features_.rows(); ++row) {
    const auto inside = [&](std::size_t j) {
      return holds(leaf.allowed[j], columns_[j].bin_of(features_(row, static_cast<Index>(j))));
    };
    if (!std::all_of(restricted.begin(), restricted.end(), inside)) continue;
    ++region.all_rows;
    region.all_covered += covered[static_cast<std::size_t>(row)];
  }
}

std::string RegionSearch::words(const Node& leaf) const {
  std::vector<std::string> conditions;
  for (const std::size_t j : restricted_columns(leaf)) {
    const BinnedColumn& column = columns_[j];
    conditions.push_back(column.is_categorical ? category_condition(column, leaf.allowed[j])
                                               : number_condition(column, leaf.allowed[j]));
  }
  return join(conditions, " and ");
}

std::string RegionSearch::category_condition(const BinnedColumn& column, BinSet allowed) {
  const std::size_t known = column.bins - (column.has_missing ? 1 : 0);
  std::vector<std::string> in, out;
  for (std::size_t bin = 0; bin < column.bins; ++bin) {
    const std::string name = bin < column.categories.size() ? column.categories[bin] : bin < known ? "another value" : "missing";
    (holds(allowed, bin) ? in : out).push_back(name);
  }
  const std::string name = shortened(column.name, longest_name_of_region);
  return in.size() <= out.size() ? name + " is " + either(in) : name + " is not " + either(out);
}

std::string RegionSearch::number_condition(const BinnedColumn& column, BinSet allowed) {
  const std::string name = shortened(column.name, longest_name_of_region);
  const std::size_t known = column.bins - (column.has_missing ? 1 : 0);
  std::size_t first = 0, last = column.bins - 1;
  while (!holds(allowed, first)) ++first;
  while (!holds(allowed, last)) --last;
  const bool may_be_missing = column.has_missing && last == known;
  if (may_be_missing && first == known) return name + " is missing";
  const bool bounded_above = !may_be_missing && last + 1 < known;
  const auto cut = [&](std::size_t at) { return number_text(column.cuts[at], 15); };
  std::string condition = name;
  if (first > 0 && bounded_above)
    condition = cut(first - 1) + " ≤ " + name + " < " + cut(last);
  else if (first > 0)
    condition += " ≥ " + cut(first - 1);
  else if (bounded_above)
    condition += " < " + cut(last);
  else
    condition += " is known";
  return condition + (may_be_missing ? " or missing" : "");
}

}  // namespace taut
