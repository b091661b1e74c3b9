#include <taut/calibrate/venn_abers.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Some neighbouring rows.
struct Block {
  Index rows = 0;
  double weight = 0, events = 0;

  double mean() const { return events / weight; }
  Block with(const Block& other) const { return {rows + other.rows, weight + other.weight, events + other.events}; }
};

// Rows of equal score are a block, and blocks become bins.
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

  // Where the new row is beside block `at` or, if it has the score of that block, in it: the blocks that its bin begins and ends
  // with.
  struct Own {
    std::size_t begin, end;
    bool operator==(const Own&) const = default;
  };
  Own own_bin(std::size_t at, bool inside) const {
    const std::size_t begin = *std::prev(std::upper_bound(starts_.begin(), starts_.end(), at));
    return {begin, std::max(end_of_bin(begin, 1), at + (inside ? 1 : 0))};
  }

  // The fitted value of that bin.
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
    // A last bin with too few rows belongs to the one before it.
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
  // The first block after a bin that begins here with `more` further rows; the end where there are not enough.
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

  std::vector<Block> blocks_, sums_;  // sums: of the first 0, 1, ...
  std::vector<std::size_t> starts_;   // of the bins of calibration rows alone, as far as they are full
  Index rows_;
  double own_weight_;
};

}  // namespace

// Steps of isotonic regression are about n^(2/3) rows long where probabilities rise: bins are shorter, but not single rows.
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

}  // namespace taut
