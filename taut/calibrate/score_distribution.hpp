// Calibration scores in ascending order with their weights, and the quantiles and ranks that follow from them.
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

// Scores in ascending order with weights. `Score` is double or SignedScore. Without weights each weight is 1, and sums of weights
// are exact counts.
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

  // From values that are in ascending order already, each of weight 1.
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

  // Weights are divided by a power of two such that the largest lies between 1 and 2. So no sum overflows, and the division
  // changes no bit of the mantissas. `scaled` does the same to another weight; a far larger one stays finite.
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

  // The smallest k such that the k smallest scores have at least the weight `wanted`, up to rounding; rows() + 1 if all together
  // have less.
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
  std::vector<double> sums_;  // cumulative weights, starting with 0; empty if each weight is 1
  int exponent_ = 0;          // of that power of two
};

// Two-sided cut-offs by a rule other than ranks.
class CutOffs {
 public:
  virtual ~CutOffs() = default;
  // As ScoreDistribution::quantile and ScoreDistribution::smoothed_quantile.
  virtual double at(double confidence) const = 0;
  virtual std::optional<double> smoothed(double confidence, double uniform) const = 0;
};

class SureRanks;

// The conformity scores of the calibration rows, each with a weight, and the weight of the new row itself. Calibration rows must
// not have been used for training or model selection.
//
// If the new row and the calibration rows are exchangeable, the rank of the new score among theirs is uniformly distributed. With
// weights (likelihood ratios, ages, neighbours) the ranks have these probabilities. The score of the new row is unknown, so its
// weight is placed at infinity: an answer that needs it is infinite. Every answer about a new value is computed from this class,
// and only this class computes ranks.
class ScoreDistribution {
 public:
  ScoreDistribution();
  // Scores in any order. −infinity is a valid score (a residual of 0), NaN is an Error. Without sides (a model file of 0.1) there
  // are no bounds, quantiles of y or probabilities. Without weights all weights are 1, and every answer is an exact rank.
  explicit ScoreDistribution(std::vector<double> scores, std::vector<Side> sides = {}, std::vector<double> weights = {},
                             double own_weight = 1);

  // From scores that are sorted already, with all weights 1.
  static ScoreDistribution sorted(std::vector<double> scores, std::vector<SignedScore> in_order_of_t);
  // The same calibration rows for a new row of another weight. The scores are shared, not copied.
  ScoreDistribution with_own_weight(double own_weight) const;

  // The same calibration rows with cut-offs by another rule. The result only gives intervals; any other question is an Error.
  ScoreDistribution with_cut_offs(std::shared_ptr<const CutOffs> cut_offs) const;
  bool has_ranks() const { return cut_offs_ == nullptr; }

  // The same calibration rows with ranks that give at least the confidence for a share `sure` of calibration sets, instead of on
  // average over them (rank.hpp). Other weights than 1 are a UsageError, because there is no exact statement for them.
  ScoreDistribution with_sure(double sure) const;
  double sure() const;

  Index rows() const { return both().rows(); }
  bool has_sides() const { return by_t().rows() == rows(); }
  bool is_plain() const { return both().is_plain() && own_weight_ == 1 && has_ranks(); }
  const std::vector<double>& scores() const { return both().values(); }  // sorted

  // Two-sided, by |t|: the smallest score with at least this share of the weight at or below it. If there are too few rows it is
  // +infinity, never the largest score.
  double quantile(double confidence) const;
  // Randomised so that the share is exact on average instead of slightly larger; `uniform` is drawn from [0, 1). Returns nothing
  // for the empty set; −infinity is a score.
  std::optional<double> smoothed_quantile(double confidence, double uniform) const;
  // Whether a score is among the share `confidence` of the n + 1 scores, the new one included, with ties broken at random. This
  // is true for a new score with exactly this probability on average, with or without ties. Without ties it agrees with
  // score <= smoothed_quantile(). Not for cut-offs by another rule.
  bool holds_smoothed(double score, double confidence, double uniform) const;

  // In the order of t: the smallest score with at least this share of the weight at or below it, and the largest with at least
  // this share at or above it. Nothing if the new row's own weight would be needed. `together`: the number of bounds that must
  // hold at once after with_sure(), 2 for both ends of an interval.
  std::optional<SignedScore> upper(double confidence, Index together = 1) const;
  std::optional<SignedScore> lower(double confidence, Index together = 1) const;

  // The weight of scores beyond a given one (above |t|, below t), of scores equal to it, of the new row itself, and of all. If
  // weights are 1 these are counts. Otherwise all four have the same unit, which is not that of the weights as given.
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

  // For weights of 1: the rank for a level, and the highest rank with the same score, which determines the coverage if there are
  // ties.
  Index rank(double confidence, Index together = 1) const;
  Index last_rank(double confidence) const;
  // The delivered coverage: the share of the weight at or below the quantile, k / (n + 1) for weights of 1.
  double delivered(double confidence) const;

  void save(Archive archive) const;
  static ScoreDistribution load(const Archive& archive);

 private:
  // Immutable, because the distributions of many new rows share them.
  struct Scores {
    SortedScores<double> both;
    SortedScores<SignedScore> by_t;
  };
  const SortedScores<double>& both() const { return scores_->both; }
  const SortedScores<SignedScore>& by_t() const { return scores_->by_t; }
  double own_weight() const { return both().scaled(own_weight_); }  // in the unit of the sums
  double total() const { return both().weight() + own_weight(); }
  void require_sides() const;
  void require_ranks() const;

  std::shared_ptr<const Scores> scores_;
  std::shared_ptr<const CutOffs> cut_offs_;
  std::shared_ptr<const SureRanks> sure_;  // shared by all copies; null: ranks hold on average
  double own_weight_ = 1;
};

}  // namespace taut
