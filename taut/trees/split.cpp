#include <taut/trees/split.hpp>

#include <taut/core/trace.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr double rounding = 1e-6;  // a gain below this is none

// Keeps the better split. G_l²/(H_l + λ) + G_r²/(H_r + λ) is compared as a fraction, num > best · den, because a division
// takes longer than everything else here together.
class Search {
 public:
  Search(const Sums& total, const SplitRules& rules)
      : total_(total),
        rules_(rules),
        best_(total[0] * total[0] / (total[1] + rules.lambda) + std::max(rules.min_gain, rounding)) {}

  void offer(const Sums& left, Index column, Index threshold, bool missing_left) {
    const Sums right = total_ - left;
    if (left[1] < rules_.min_weight || right[1] < rules_.min_weight) return;
    const double below = left[1] + rules_.lambda, above = right[1] + rules_.lambda;
    const double numerator = left[0] * left[0] * above + right[0] * right[0] * below;
    const double denominator = below * above;
    if (numerator <= best_ * denominator) return;
    best_ = numerator / denominator;
    split_ = {column, threshold, missing_left, left};
  }

  const Split& split() const { return split_; }

 private:
  Sums total_;
  SplitRules rules_;
  double best_;
  Split split_;
};

}  // namespace

Split best_split(const Sums* histogram, std::span<const BinRange> ranges, const Sums& total, const SplitRules& rules) {
  const TracedPart traced("split search");
  Search search(total, rules);
  if (total[1] < 2 * rules.min_weight) return search.split();
  for (const BinRange& range : ranges) {
    const Sums* bins = histogram + range.begin;
    const Sums& absent = bins[range.values];
    const bool has_missing = absent[0] != 0 || absent[1] != 0;
    Sums left = Sums::Zero();
    for (Index bin = 0; bin + 1 < range.values; ++bin) {
      left += bins[bin];
      search.offer(left, range.column, bin, false);
      if (has_missing) search.offer(left + absent, range.column, bin, true);
    }
  }
  return search.split();
}

}  // namespace taut
