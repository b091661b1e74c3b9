#include <taut/report/regions.hpp>

#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/report/bins.hpp>
#include <taut/report/words.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr int deepest = 3;
constexpr std::size_t most_tree_rows = 50000;  // to grow the tree, and as many to judge it
constexpr std::size_t most_parts = 32;
constexpr double least_telling = 12;  // of a split: χ² with one degree of freedom exceeds it five times in ten thousand
constexpr Index least_judged = 10;
constexpr double probability = 0.99;
constexpr std::size_t longest_word = 40;

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

RegionSearch::RegionSearch(const TableView& features, std::uint64_t seed) {
  const Rows order = Random(seed).permutation(features.rows());
  const std::size_t half = std::min(order.size() / 2, most_tree_rows);
  grow_rows_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half));
  judge_rows_.assign(order.end() - static_cast<std::ptrdiff_t>(std::min(order.size() - half, most_tree_rows)), order.end());
  least_rows_ = std::max<std::size_t>(20, half / 50);
  for (Index column = 0; column < static_cast<Index>(features.columns().size()); ++column) {
    const bool is_categorical = features.columns()[static_cast<std::size_t>(column)].is_categorical;
    columns_.push_back(is_categorical ? category_cuts(features, column) : number_cuts(features, column));
    put_rows(features, column, columns_.back());
  }
}

RegionSearch::Cuts RegionSearch::number_cuts(const TableView& features, Index column) const {
  Cuts result;
  result.name = features.columns()[static_cast<std::size_t>(column)].name;
  std::vector<double> values;
  for (const Index row : grow_rows_)
    if (const double value = features(row, column); !std::isnan(value)) values.push_back(value);
  std::sort(values.begin(), values.end());
  // Any cut near a quantile serves; the one with the fewest digits reads best.
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part / most_parts * static_cast<double>(values.size()))];
  };
  for (std::size_t part = 1; part < most_parts && !values.empty(); ++part) {
    const double low = at(static_cast<double>(part) - 0.3), high = at(static_cast<double>(part) + 0.3);
    const double cut = low < high ? round_cut(low, high) : high;
    if (cut > values.front() && (result.cuts.empty() || cut > result.cuts.back())) result.cuts.push_back(cut);
  }
  result.bins = result.cuts.size() + 1;
  return result;
}

RegionSearch::Cuts RegionSearch::category_cuts(const TableView& features, Index column) const {
  const Column& category = features.columns()[static_cast<std::size_t>(column)];
  Cuts result;
  result.name = category.name;
  result.is_categorical = true;
  std::vector<Index> counts(category.categories.size() + 1);  // the last: other values, which never have a bin of their own
  for (const Index row : grow_rows_)
    if (const double code = features(row, column); !std::isnan(code)) ++counts[static_cast<std::size_t>(code)];
  std::vector<std::size_t> order(category.categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  const std::size_t own = std::min(order.size(), most_parts - 1);
  result.bin_of_code.assign(counts.size(), static_cast<std::int16_t>(own));
  for (std::size_t i = 0; i < own; ++i) {
    result.bin_of_code[order[i]] = static_cast<std::int16_t>(i);
    result.categories.push_back(shortened(category.categories[order[i]], longest_word));
  }
  bool has_others = order.size() > own;
  for (const Rows* rows : {&grow_rows_, &judge_rows_})
    for (const Index row : *rows) has_others = has_others || features(row, column) == category.other_code();
  result.bins = own + (has_others ? 1 : 0);
  return result;
}

void RegionSearch::put_rows(const TableView& features, Index column, Cuts& cuts) const {
  for (const Rows* rows : {&grow_rows_, &judge_rows_}) {
    for (const Index row : *rows) {
      const double value = features(row, column);
      std::size_t bin = cuts.bins;  // of missing cells
      if (std::isnan(value))
        cuts.has_missing = true;
      else if (cuts.is_categorical)
        bin = static_cast<std::size_t>(cuts.bin_of_code[static_cast<std::size_t>(value)]);
      else
        bin = static_cast<std::size_t>(std::upper_bound(cuts.cuts.begin(), cuts.cuts.end(), value) - cuts.cuts.begin());
      cuts.of_row.push_back(static_cast<std::uint8_t>(bin));
    }
  }
  if (cuts.has_missing) ++cuts.bins;
}

// The gain of a split into parts with shares p and q of misses is (p − q)² n_left n_right / n: what it takes off the sum of
// squares.
RegionSearch::Split RegionSearch::best_split(const Node& node, std::span<const std::uint8_t> z) const {
  Split best;
  const auto n = static_cast<double>(node.rows.size());
  double all_missed = 0;
  for (const std::uint32_t row : node.rows) all_missed += z[static_cast<std::size_t>(grow_rows_[row])] == 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Cuts& cuts = columns_[j];
    std::vector<double> rows(cuts.bins), missed(cuts.bins);
    for (const std::uint32_t row : node.rows) {
      const std::uint8_t bin = cuts.of_row[row];
      ++rows[bin];
      missed[bin] += z[static_cast<std::size_t>(grow_rows_[row])] == 0;
    }
    double left = 0, left_missed = 0;
    for (std::size_t bin = 0; bin < cuts.bins; ++bin) {
      // Numbers are cut between bins; a category, and missing cells, stand against all others.
      const bool alone = cuts.is_categorical;
      left = (alone ? 0 : left) + rows[bin];
      left_missed = (alone ? 0 : left_missed) + missed[bin];
      const double right = n - left, right_missed = all_missed - left_missed;
      if (left < static_cast<double>(least_rows_) || right < static_cast<double>(least_rows_)) continue;
      const double difference = left_missed / left - right_missed / right;
      const double gain = difference * difference * left * right / n;
      if (gain > best.gain) best = {j, alone ? Mask{1} << bin : (Mask{2} << bin) - 1, gain};
    }
  }
  const double share = all_missed / n;
  if (!(best.gain > least_telling * share * (1 - share))) best.gain = 0;
  return best;
}

void RegionSearch::grow(Node node, std::span<const std::uint8_t> z, int depth, std::vector<Node>& leaves) const {
  const Split split = depth < deepest && node.rows.size() >= 2 * least_rows_ ? best_split(node, z) : Split{};
  if (split.gain == 0) {
    leaves.push_back(std::move(node));
    return;
  }
  for (const Mask side : {split.left, ~split.left}) {
    Node child{{}, node.allowed};
    child.allowed[split.column] &= side;
    for (const std::uint32_t row : node.rows)
      if ((side >> columns_[split.column].of_row[row] & 1) != 0) child.rows.push_back(row);
    grow(std::move(child), z, depth + 1, leaves);
  }
}

std::vector<Region> RegionSearch::find(std::span<const std::uint8_t> z, double level, std::size_t most) const {
  Node root;
  root.rows.resize(grow_rows_.size());
  std::iota(root.rows.begin(), root.rows.end(), 0U);
  for (const Cuts& cuts : columns_) root.allowed.push_back((Mask{1} << cuts.bins) - 1);
  std::vector<Node> leaves;
  grow(std::move(root), z, 0, leaves);
  if (leaves.size() < 2) return {};

  std::vector<std::pair<double, const Node*>> telling;  // how many standard deviations too many misses, and where
  for (const Node& leaf : leaves) {
    double misses = 0;
    for (const std::uint32_t row : leaf.rows) misses += z[static_cast<std::size_t>(grow_rows_[row])] == 0;
    const auto n = static_cast<double>(leaf.rows.size());
    const double excess = (misses - n * (1 - level)) / std::sqrt(n * level * (1 - level));
    if (excess > 0) telling.emplace_back(excess, &leaf);
  }
  std::stable_sort(telling.begin(), telling.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  telling.resize(std::min(telling.size(), most));
  std::vector<Region> regions;
  for (const auto& [excess, leaf] : telling) {
    Region region = judged(*leaf, z, level, telling.size());
    if (region.rows >= least_judged && region.coverage < level) regions.push_back(std::move(region));
  }
  std::stable_partition(regions.begin(), regions.end(), [](const Region& region) { return region.clearly_low; });
  return regions;
}

Region RegionSearch::judged(const Node& leaf, std::span<const std::uint8_t> z, double level, std::size_t regions) const {
  Region region;
  region.words = words(leaf);
  Index hits = 0;
  for (std::size_t i = 0; i < judge_rows_.size(); ++i) {
    const auto inside = [&](std::size_t j) { return (leaf.allowed[j] >> columns_[j].of_row[grow_rows_.size() + i] & 1) != 0; };
    bool all = true;
    for (std::size_t j = 0; all && j < columns_.size(); ++j) all = inside(j);
    if (!all) continue;
    ++region.rows;
    hits += z[static_cast<std::size_t>(judge_rows_[i])];
  }
  Index found_hits = 0;
  for (const std::uint32_t row : leaf.rows) found_hits += z[static_cast<std::size_t>(grow_rows_[row])];
  region.found_rows = static_cast<Index>(leaf.rows.size());
  region.found_coverage = static_cast<double>(found_hits) / static_cast<double>(region.found_rows);
  region.coverage = static_cast<double>(hits) / static_cast<double>(std::max<Index>(region.rows, 1));
  region.band = binomial_band(hits, region.rows, 1 - (1 - probability) / static_cast<double>(regions));
  region.clearly_low = region.band.high < level;
  return region;
}

std::string RegionSearch::words(const Node& leaf) const {
  std::vector<std::string> conditions;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Cuts& cuts = columns_[j];
    const Mask allowed = leaf.allowed[j], full = (Mask{1} << cuts.bins) - 1;
    if (allowed == full) continue;
    const std::string name = shortened(cuts.name, longest_word);
    const std::size_t known = cuts.bins - (cuts.has_missing ? 1 : 0);
    if (cuts.is_categorical) {
      std::vector<std::string> in, out;
      for (std::size_t bin = 0; bin < cuts.bins; ++bin) {
        const std::string value = bin < cuts.categories.size() ? cuts.categories[bin] : bin < known ? "another value" : "missing";
        ((allowed >> bin & 1) != 0 ? in : out).push_back(value);
      }
      conditions.push_back(in.size() <= out.size() ? name + " is " + listed(in) : name + " is not " + listed(out));
      continue;
    }
    std::size_t first = 0, last = cuts.bins - 1;
    while ((allowed >> first & 1) == 0) ++first;
    while ((allowed >> last & 1) == 0) --last;
    const bool may_miss = cuts.has_missing && last == known;
    if (may_miss && first == known) {
      conditions.push_back(name + " is missing");
      continue;
    }
    const bool bounded_above = !may_miss && last + 1 < known;
    std::string condition = name;
    if (first > 0 && bounded_above)
      condition = spoken(cuts.cuts[first - 1], 15) + " ≤ " + name + " < " + spoken(cuts.cuts[last], 15);
    else if (first > 0)
      condition += " ≥ " + spoken(cuts.cuts[first - 1], 15);
    else if (bounded_above)
      condition += " < " + spoken(cuts.cuts[last], 15);
    else
      condition += " is known";
    conditions.push_back(condition + (may_miss ? " or missing" : ""));
  }
  return join(conditions, " and ");
}

}  // namespace taut
