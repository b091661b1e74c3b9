// Scores in ascending order, each with a weight.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace taut {

// Throws an Error unless there is one weight per score, each finite and not negative.
void check_weights(std::span<const double> weights, std::size_t scores);

// `Score` has an order: double, or SignedScore. Where no weights are given each is 1, and sums of weights are exact counts.
template <class Score>
class SortedScores {
 public:
  SortedScores() = default;
  explicit SortedScores(std::vector<Score> values, std::span<const double> weights = {}) : values_(std::move(values)) {
    if (weights.empty()) {
      std::sort(values_.begin(), values_.end());
      return;
    }
    check_weights(weights, values_.size());
    Rows order = all_rows(rows());
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return values_[static_cast<std::size_t>(a)] < values_[static_cast<std::size_t>(b)];
    });
    const double largest = *std::max_element(weights.begin(), weights.end());
    exponent_ = largest > 0 ? std::ilogb(largest) : 0;
    std::vector<Score> sorted;
    sums_ = {0};
    for (const Index row : order) {
      sorted.push_back(values_[static_cast<std::size_t>(row)]);
      sums_.push_back(sums_.back() + scaled(weights[static_cast<std::size_t>(row)]));
    }
    values_ = std::move(sorted);
  }

  // Values that are in ascending order already, each of weight 1.
  static SortedScores presorted(std::vector<Score> values) {
    SortedScores result;
    result.values_ = std::move(values);
    return result;
  }

  Index rows() const { return std::ssize(values_); }
  bool is_plain() const { return sums_.empty(); }
  const std::vector<Score>& values() const { return values_; }
  // The k-th smallest, k = 1 ... rows().
  const Score& at_rank(Index k) const { return values_[static_cast<std::size_t>(k - 1)]; }

  // Sums are those of weights divided by a power of two, the largest being from 1 to 2: so none overflows, and the bits are those
  // of the weights as they were given. `scaled` does the same to another weight; one that is beyond all of these by far stays
  // finite.
  double scaled(double weight) const { return std::min(std::ldexp(weight, -exponent_), 0x1p1000); }

  double weight() const { return weight_of_first(rows()); }
  double weight_of_first(Index count) const {
    return is_plain() ? static_cast<double>(count) : sums_[static_cast<std::size_t>(count)];
  }
  Index count_below(const Score& value) const {
    return std::lower_bound(values_.begin(), values_.end(), value) - values_.begin();
  }
  Index count_up_to(const Score& value) const {
    return std::upper_bound(values_.begin(), values_.end(), value) - values_.begin();
  }
  double weight_below(const Score& value) const { return weight_of_first(count_below(value)); }
  double weight_up_to(const Score& value) const { return weight_of_first(count_up_to(value)); }

  // How many of the smallest scores it takes for their weight to reach `wanted`, up to rounding; rows() + 1 where all together do
  // not.
  Index count_reaching(double wanted) const {
    const double rounding =
        std::numeric_limits<double>::epsilon() * static_cast<double>(rows() + 4) * (std::abs(wanted) + weight());
    const auto sum_reaches = [&](Index count) { return weight_of_first(count) >= wanted - rounding; };
    Index low = 0, high = rows() + 1;  // low ... high holds the answer
    while (low < high) {
      const Index middle = low + (high - low) / 2;  // at most rows()
      if (sum_reaches(middle))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

 private:
  std::vector<Score> values_;
  std::vector<double> sums_;  // of the first 0, 1, ... weights; empty where each weight is 1
  int exponent_ = 0;          // of that power of two
};

// The calibrated law: the conformity scores of rows that chose nothing, each with a weight, and the weight of the new row itself.
//
// If the new row and the calibration rows are exchangeable, the new score is equally likely to take any place among theirs; with
// weights (likelihood ratios, ages, neighbours) its place has these probabilities. Where the new row's own weight lies is
// unknown, so it is put at infinity: an answer that needs it is infinite, never a number. Every answer about a new value is read
// off here, and this is the one place where ranks are computed.

// Cut-offs for both sides at once by a rule other than ranks.
class CutOffs {
 public:
  virtual ~CutOffs() = default;
  // As Law::quantile and Law::smoothed_quantile.
  virtual double at(double confidence) const = 0;
  virtual std::optional<double> drawn(double confidence, double uniform) const = 0;
};

class SureRanks;

class Law {
 public:
  Law();
  // Scores in any order; −infinity is a score like another (a residual of 0), NaN is an Error. Without sides (a model file of
  // 0.1) there are no bounds, quantiles of y or probabilities. Without weights all weights are 1: then every answer is an exact
  // rank.
  explicit Law(std::vector<double> scores, std::vector<Side> sides = {}, std::vector<double> weights = {}, double own_weight = 1);

  // The same scores of rows that are in order already, all weights 1.
  static Law sorted(std::vector<double> scores, std::vector<SignedScore> in_order_of_t);
  // The same calibration rows for another new row; the scores are shared, not copied.
  Law with_own_weight(double own_weight) const;

  // The same calibration rows with cut-offs by another rule. Such a law knows intervals alone: any other question is an Error.
  Law with_cut_offs(std::shared_ptr<const CutOffs> cut_offs) const;
  bool has_ranks() const { return cut_offs_ == nullptr; }

  // The same calibration rows with ranks that give at least the confidence for a share `sure` of calibration sets, not on average
  // over them (rank.hpp). For plain weights only: there is no exact statement for others.
  Law with_sure(double sure) const;
  double sure() const;

  Index rows() const { return both().rows(); }
  bool has_sides() const { return by_t().rows() == rows(); }
  bool is_plain() const { return both().is_plain() && own_weight_ == 1 && has_ranks(); }
  const std::vector<double>& scores() const { return both().values(); }  // sorted

  // Both sides at once, by |t|: the smallest score with at least this share of the weight at or below it; +infinity when there
  // are too few rows, never the largest score.
  double quantile(double confidence) const;
  // Drawn so that the share is exact on average instead of a little above; `uniform` is drawn from [0, 1). Nothing means the
  // empty set; −infinity is a score.
  std::optional<double> smoothed_quantile(double confidence, double uniform) const;
  // Whether a given score is among the share `confidence` of the n + 1, the new one included, with random places among equal
  // ones: so for a new score with exactly this probability on average, ties or not. Without ties it agrees with
  // score <= smoothed_quantile(). Not for laws with cut-offs by another rule.
  bool holds_smoothed(double score, double confidence, double uniform) const;

  // In the order of t: the smallest with at least this share of the weight at or below it, and the largest with at least this
  // share at or above it. Nothing where the new row's own weight would be needed.
  // `together`: how many bounds shall hold at once where with_sure() was asked for, 2 for both ends of an interval.
  std::optional<SignedScore> upper(double confidence, Index together = 1) const;
  std::optional<SignedScore> lower(double confidence, Index together = 1) const;

  // The weight of scores beyond a given one (above |t|, below t), of scores equal to it, of the new row itself, and of all. Where
  // weights are 1 these are counts; else their unit is one for all of them, but not that of the weights as they were given.
  struct Weights {
    double beyond, equal, own, all;
  };
  Weights weights_above(double score) const;
  Weights weights_below(const SignedScore& t) const;

  // In the order of t: the k-th smallest, k = 1 ... rows().
  const SignedScore& signed_score(Index rank) const {
    require_ranks();
    return by_t().at_rank(rank);
  }
  // The weight of the k smallest in the order of t, and how many of them it takes to reach a weight.
  double weight_of_first(Index k) const { return by_t().weight_of_first(k); }
  Index count_reaching(double weight) const { return by_t().count_reaching(weight); }

  // For plain weights: the rank behind a level, and the highest rank that has the same score (with ties, coverage is that of this
  // one).
  Index rank(double confidence, Index together = 1) const;
  Index last_rank(double confidence) const;
  // The coverage that is really delivered, the share of the weight at or below the quantile: k / (n + 1) for plain weights.
  double delivered(double confidence) const;

  void save(Archive archive) const;
  static Law load(const Archive& archive);

 private:
  // Never changed once they are made: laws of many new rows share them.
  struct Scores {
    SortedScores<double> both;
    SortedScores<SignedScore> by_t;
  };
  const SortedScores<double>& both() const { return scores_->both; }
  const SortedScores<SignedScore>& by_t() const { return scores_->by_t; }
  double own_weight() const { return both().scaled(own_weight_); }  // in the unit of their sums
  double total() const { return both().weight() + own_weight(); }
  void require_sides() const;
  void require_ranks() const;

  std::shared_ptr<const Scores> scores_;
  std::shared_ptr<const CutOffs> cut_offs_;
  std::shared_ptr<const SureRanks> sure_;  // of all copies; none: ranks are for the average
  double own_weight_ = 1;
};

}  // namespace taut
