// Held-out conformity scores, and the quantile that a confidence level asks of them.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <optional>

namespace taut {

class Calibrator {
 public:
  Calibrator() = default;
  // Scores in any order; −infinity is a score like another (a residual of 0), NaN is an Error.
  explicit Calibrator(std::vector<double> scores);

  Index rows() const { return static_cast<Index>(scores_.size()); }
  Index rank(double confidence) const;
  // The rank-th smallest score; +infinity when there are too few rows for the level, never the largest score.
  double quantile(double confidence) const;
  // The highest rank that has the same score: with ties, coverage is that of this one.
  Index last_rank(double confidence) const;
  // The coverage that is really delivered: k / (n + 1).
  double delivered(double confidence) const;

  // Smoothed: a rank drawn so that its mean is (n + 1) · confidence exactly, which makes coverage exact instead of a little
  // above. `uniform` is drawn from [0, 1). Nothing where the rank is 0, which means the empty set; −infinity is a score.
  std::optional<double> smoothed_quantile(double confidence, double uniform) const;

  const std::vector<double>& scores() const { return scores_; }  // sorted

  void save(Archive archive) const;
  static Calibrator load(const Archive& archive);

 private:
  std::vector<double> scores_;
};

}  // namespace taut
