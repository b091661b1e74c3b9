// The calibrated law: the conformity scores of rows that chose nothing, each with a weight, and the weight of the new row itself.
//
// If the new row and the calibration rows are exchangeable, the new score is equally likely to take any place among theirs; with
// weights (likelihood ratios, ages, neighbours) its place has these probabilities. Where the new row's own weight lies is
// unknown, so it is put at infinity: an answer that needs it is infinite, never a number. Every answer about a new value is read
// off here, and this is the one place where ranks are computed.
#pragma once

#include <taut/calibrate/signed_score.hpp>
#include <taut/calibrate/sorted_scores.hpp>
#include <taut/core/archive.hpp>

#include <optional>

namespace taut {

class Law {
 public:
  Law() = default;
  // Scores in any order; −infinity is a score like another (a residual of 0), NaN is an Error. Without sides (a model file of
  // 0.1) there are no bounds, quantiles of y or probabilities. Without weights all weights are 1: then every answer is an exact
  // rank.
  explicit Law(std::vector<double> scores, std::vector<Side> sides = {}, std::vector<double> weights = {}, double own_weight = 1);

  Index rows() const { return both_.rows(); }
  bool has_sides() const { return signed_.rows() == rows(); }
  bool is_plain() const { return both_.is_plain(); }
  const std::vector<double>& scores() const { return both_.values(); }  // sorted

  // Both sides at once, by |t|: the smallest score with at least this share of the weight at or below it; +infinity when there
  // are too few rows, never the largest score.
  double quantile(double confidence) const;
  // Drawn so that the share is exact on average instead of a little above; `uniform` is drawn from [0, 1). Nothing means the
  // empty set; −infinity is a score.
  std::optional<double> smoothed_quantile(double confidence, double uniform) const;

  // In the order of t: the smallest with at least this share of the weight at or below it, and the largest with at least this
  // share at or above it. Nothing where the new row's own weight would be needed.
  std::optional<SignedScore> upper(double confidence) const;
  std::optional<SignedScore> lower(double confidence) const;

  // The weight of scores beyond a given one (above |t|, below t), of scores equal to it, of the new row itself, and of all. Where
  // weights are 1 these are counts.
  struct Weights {
    double beyond, equal, own, all;
  };
  Weights weights_above(double score) const;
  Weights weights_below(const SignedScore& t) const;

  // In the order of t: the k-th smallest, k = 1 ... rows().
  const SignedScore& signed_score(Index rank) const { return signed_.at_rank(rank); }

  // For plain weights: the rank behind a level; the highest rank that has the same score (with ties, coverage is that of this
  // one); and the coverage that is really delivered, k / (n + 1).
  Index rank(double confidence) const;
  Index last_rank(double confidence) const;
  double delivered(double confidence) const;

  void save(Archive archive) const;
  static Law load(const Archive& archive);

 private:
  double total() const { return both_.weight() + own_weight_; }
  void require_sides() const;

  SortedScores<double> both_;
  SortedScores<SignedScore> signed_;
  double own_weight_ = 1;
};

}  // namespace taut
