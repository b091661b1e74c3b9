#include <taut/calibrate/value_probabilities.hpp>

#include <taut/calibrate/predictive_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace taut {

namespace {

// Totals over rows that are adjacent in the order of scores.
struct Block {
  Index rows = 0;
  double weight = 0, events = 0;

  double mean() const { return events / weight; }
  Block with(const Block& other) const { return {rows + other.rows, weight + other.weight, events + other.events}; }
};

// Rows of equal score form a block; adjacent blocks are merged into bins.
class Bins {
 public:
  Bins(std::vector<Block> blocks, Index rows_of_bin, double own_weight)
      : blocks_(std::move(blocks)), rows_(rows_of_bin), own_weight_(own_weight) {
    sums_.emplace_back();
    for (const Block& block : blocks_) sums_.push_back(sums_.back().with(block));
    starts_.push_back(0);
    while (end_of_bin(starts_.back(), 0) <= blocks_.size() && is_full(starts_.back()))
      starts_.push_back(end_of_bin(starts_.back(), 0));
  }

  // The blocks [begin, end) of the new row's bin. The new row comes before block `at`, or is `inside` it if the scores are equal.
  struct Own {
    std::size_t begin, end;
    bool operator==(const Own&) const = default;
  };
  Own own_bin(std::size_t at, bool inside) const {
    const std::size_t begin = *std::prev(std::upper_bound(starts_.begin(), starts_.end(), at));
    return {begin, std::max(end_of_bin(begin, 1), at + (inside ? 1 : 0))};
  }

  // The isotonic fit in that bin if the new row has this event, 0 or 1.
  double fitted(const Own& own, double event) const {
    std::vector<Block> bins;
    for (std::size_t i = 0; i + 1 < starts_.size() && starts_[i + 1] <= own.begin; ++i)
      bins.push_back(between(starts_[i], starts_[i + 1]));
    const std::size_t place = bins.size();
    bins.push_back(between(own.begin, own.end).with({1, own_weight_, event * own_weight_}));
    for (std::size_t begin = own.end; begin < blocks_.size();) {
      const std::size_t end = end_of_bin(begin, 0);
      bins.push_back(between(begin, end));
      begin = end;
    }
    // A last bin with too few rows is merged into the one before it.
    if (bins.size() > 1 && bins.back().rows < rows_) {
      bins[bins.size() - 2] = bins[bins.size() - 2].with(bins.back());
      bins.pop_back();
    }
    return isotonic(bins, std::min(place, bins.size() - 1));
  }

 private:
  Block between(std::size_t begin, std::size_t end) const {
    const Block &a = sums_[begin], &b = sums_[end];
    return {b.rows - a.rows, b.weight - a.weight, b.events - a.events};
  }
  bool is_full(std::size_t begin) const { return sums_.back().rows - sums_[begin].rows >= rows_; }
  // The first block after a bin that begins here and has `more` additional rows; the end if there are too few rows.
  std::size_t end_of_bin(std::size_t begin, Index more) const {
    const Index wanted = sums_[begin].rows + rows_ - more;
    const auto found = std::lower_bound(sums_.begin() + static_cast<std::ptrdiff_t>(begin), sums_.end(), wanted,
                                        [](const Block& sum, Index rows) { return sum.rows < rows; });
    return std::min(static_cast<std::size_t>(found - sums_.begin()), blocks_.size());
  }

  static double isotonic(const std::vector<Block>& bins, std::size_t place) {
    std::vector<std::pair<Block, std::size_t>> pools;  // and the last bin of each
    for (std::size_t i = 0; i < bins.size(); ++i) {
      Block pool = bins[i];
      while (!pools.empty() && pools.back().first.mean() >= pool.mean()) {
        pool = pools.back().first.with(pool);
        pools.pop_back();
      }
      pools.emplace_back(pool, i);
    }
    const auto own =
        std::lower_bound(pools.begin(), pools.end(), place, [](const auto& pool, std::size_t i) { return pool.second < i; });
    return own->first.mean();
  }

  std::vector<Block> blocks_, sums_;  // sums_: cumulative, starting with 0
  std::vector<std::size_t> starts_;   // of the full bins, without the new row
  Index rows_;
  double own_weight_;
};

}  // namespace

// Steps of isotonic regression have about n^(2/3) rows where probabilities rise. Bins are shorter, but not single rows.
Index VennAbers::rows_of_bin(Index rows) { return static_cast<Index>(std::ceil(4 * std::cbrt(static_cast<double>(rows + 1)))); }

VennAbers::VennAbers(std::vector<Row> rows, double own_weight) {
  std::erase_if(rows, [](const Row& row) { return !(row.weight > 0); });
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.score < b.score; });
  std::vector<Block> blocks;
  for (const Row& row : rows) {
    if (scores_.empty() || scores_.back() != row.score) {
      scores_.push_back(row.score);
      blocks.emplace_back();
    }
    blocks.back() = blocks.back().with({1, row.weight, row.event ? row.weight : 0});
  }
  const std::size_t count = blocks.size();
  const Bins bins(std::move(blocks), rows_of_bin(std::ssize(rows)), own_weight);
  Bins::Own last{1, 0};
  const auto add = [&](std::size_t at, bool inside) {
    const auto own = bins.own_bin(at, inside);
    pairs_.push_back(own == last ? pairs_.back() : Pair{bins.fitted(own, 0), bins.fitted(own, 1)});
    last = own;
  };
  for (std::size_t i = 0; i <= count; ++i) {
    add(i, false);
    if (i < count) add(i, true);
  }
}

VennAbers::Pair VennAbers::at(const SignedScore& score) const {
  const auto found = std::lower_bound(scores_.begin(), scores_.end(), score);
  const auto before = static_cast<std::size_t>(found - scores_.begin());
  return pairs_[2 * before + (found != scores_.end() && *found == score ? 1 : 0)];
}

namespace {

// y is cut into at most `max_value_parts` parts with about equally many rows each, and at least `min_rows_of_part` in a part.
constexpr Index max_value_parts = 64, min_rows_of_part = 4;

// The values of the nodes: the smallest, the largest, and those at evenly spaced ranks. They include every value that fills a
// whole part.
std::vector<double> node_values(std::vector<double> y) {
  std::sort(y.begin(), y.end());
  const auto rows = std::ssize(y);
  const Index parts = std::clamp<Index>(rows / min_rows_of_part, 1, max_value_parts);
  std::vector<double> values;
  for (Index part = 0; part <= parts; ++part) values.push_back(y[static_cast<std::size_t>((rows - 1) * part / parts)]);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

ValueProbabilities::ValueProbabilities(std::span<const RowScore> scores, std::span<const double> y,
                                       std::span<const double> weights, double own_weight) {
  if (y.empty()) return;
  std::map<double, Index> counts;
  for (const double value : y) ++counts[value];
  const auto node = [&](double value, bool is_open, bool is_jump) {
    std::vector<VennAbers::Row> rows;
    rows.reserve(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      if (const SignedScore t = scores[i].signed_at(value); !std::isnan(t.score))
        rows.push_back({t, is_open ? y[i] < value : y[i] <= value, weights[i]});
    // A higher t means that v is higher relative to the row's prediction, so that y <= v is more likely.
    nodes_.push_back({value, is_open, is_jump, VennAbers(std::move(rows), own_weight)});
  };
  for (const double value : node_values({y.begin(), y.end()})) {
    const auto here = counts.find(value);
    if (here->second < 2) {
      node(value, false, false);
      continue;
    }
    // If the previous value of y is a repeated node too, no y lies between them, and P(y < value) is known from that node.
    const bool is_next = !nodes_.empty() && std::prev(here)->first == nodes_.back().value && std::prev(here)->second >= 2;
    if (!is_next) node(value, true, false);
    node(value, false, true);
  }
}

RowProbabilities::RowProbabilities(const ValueProbabilities& values, const PredictiveDistribution& ranks, const RowScore& score)
    : nodes_(values.nodes()), ranks_(ranks) {
  const std::size_t count = nodes_.size();
  for (auto* numbers : {&raw_, &values_, &low_, &high_}) numbers->reserve(count);
  // Nodes are calibrated separately, so probabilities may decrease from one node to the next. Such neighbours are pooled.
  std::vector<std::pair<double, std::size_t>> pooled;  // sum, number of nodes
  for (const auto& node : nodes_) {
    const SignedScore t = score.signed_at(node.value);
    const auto pair = node.calibrated.at(t);
    raw_.push_back(ranks.share_below(t, !node.is_open));
    low_.push_back(pair.low);
    high_.push_back(pair.high);
    // The new row has the event with probability p, and then `high` is calibrated, else `low`: p = (1 − p) low + p high.
    const double open = 1 - (pair.high - pair.low);
    std::pair<double, std::size_t> own{open > 0 ? pair.low / open : raw_.back(), 1};
    const auto mean = [](const auto& block) { return block.first / static_cast<double>(block.second); };
    while (!pooled.empty() && mean(pooled.back()) >= mean(own)) {
      own = {own.first + pooled.back().first, own.second + pooled.back().second};
      pooled.pop_back();
    }
    pooled.push_back(own);
  }
  for (const auto& [sum, size] : pooled) values_.insert(values_.end(), size, sum / static_cast<double>(size));
  // The ends are moved outward until they increase too. A pooled value stays between them.
  for (std::size_t i = 1; i < count; ++i) {
    high_[i] = std::max(high_[i], high_[i - 1]);
    low_[count - 1 - i] = std::min(low_[count - 1 - i], low_[count - i]);
  }
}

RowProbabilities::Band RowProbabilities::below(double v) const {
  const auto after =
      std::upper_bound(nodes_.begin(), nodes_.end(), v, [](double at, const auto& node) { return at < node.value; });
  const auto next = static_cast<std::size_t>(after - nodes_.begin()), last = nodes_.size() - 1;
  const auto band = [](double low, double value, double high) {
    return Band{std::min(low, value), value, std::max(high, value)};
  };
  if (next > 0 && (nodes_[next - 1].value == v || (next <= last && nodes_[next].is_jump)))
    return band(low_[next - 1], values_[next - 1], high_[next - 1]);
  const double raw = ranks_.share_below(v);
  // In the tails the probability decreases in proportion to that by ranks.
  const auto thinned = [](double share, double of) { return of > 0 ? std::min(1.0, share / of) : 0; };
  if (next == 0) return band(0, values_[0] * thinned(raw, raw_[0]), high_[0]);
  if (next > last)  // rounding must not fall below the node
    return band(low_[last], std::max(values_[last], 1 - (1 - values_[last]) * thinned(1 - raw, 1 - raw_[last])), 1);
  const double between = raw_[next] - raw_[next - 1];
  const double share = between > 0 ? (raw - raw_[next - 1]) / between
                                   : (v - nodes_[next - 1].value) / (nodes_[next].value - nodes_[next - 1].value);
  const double value = values_[next - 1] + std::clamp(share, 0.0, 1.0) * (values_[next] - values_[next - 1]);
  return band(low_[next - 1], std::min(value, values_[next]), high_[next]);
}

// The value at which the interpolation of below() reaches the share.
double RowProbabilities::by_ranks(std::size_t from, std::size_t to, double share) const {
  const double low = nodes_[from].value, high = nodes_[to].value;
  if (!(raw_[to] > raw_[from])) return low + share * (high - low);
  const double value = ranks_.value_reaching(raw_[from] + share * (raw_[to] - raw_[from]));
  return value > low && (nodes_[to].is_open ? value < high : value <= high) ? value : low + share * (high - low);
}

double RowProbabilities::sample(double uniform) const {
  const auto reached = static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), uniform) - values_.begin());
  const std::size_t last = nodes_.size() - 1;
  if (reached == 0) return std::min(nodes_[0].value, ranks_.value_reaching(raw_[0] * uniform / values_[0]));
  if (reached > last) {
    const double share = (uniform - values_[last]) / (1 - values_[last]);
    return std::max(nodes_[last].value, ranks_.value_reaching(raw_[last] + share * (1 - raw_[last])));
  }
  if (nodes_[reached].is_jump) return nodes_[reached].value;
  return by_ranks(reached - 1, reached, (uniform - values_[reached - 1]) / (values_[reached] - values_[reached - 1]));
}

}  // namespace taut
