// A predictive distribution that is given by some of its quantiles, and its scale of log-odds, on which y is measured.
#pragma once

#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// The levels of given quantiles, ascending, and their log-odds l = log p − log(1 − p).
class QuantileLevels {
 public:
  // At least two levels between 0 and 1, strictly ascending.
  explicit QuantileLevels(std::vector<double> levels);

  const std::vector<double>& levels() const { return levels_; }
  std::span<const double> log_odds() const { return log_odds_; }
  Index size() const { return std::ssize(levels_); }
  // The p-quantile, from `ascending` quantiles at these levels: linear in the log-odds, beyond the outermost levels too.
  double quantile(std::span<const double> ascending, double p) const;

 private:
  std::vector<double> levels_, log_odds_;
};

// The quantiles of samples that stand for their distribution: fixed levels, as far as this number of samples reaches.
inline constexpr Index min_samples = 5;
std::vector<double> levels_of_samples(Index count);
// The empirical quantile at rank (n + 1) p of n ascending samples, interpolated between neighbours.
double quantile_of_samples(std::span<const double> ascending, double p);

// T(y), the log-odds of the given distribution function at y: piecewise linear through (q_k, l_k), for the quantiles q_k with
// log-odds l_k. Where quantiles are equal the distribution has an atom: T jumps, and at the atom itself it is the log-odds of the
// middle of its levels. Beyond the outermost quantiles T goes on as a line: with the slope of the last segment, which as a
// distance per unit of l is at least half of the mean from the median to the outermost quantile, and at least ε, a small share of
// the typical distance between quantiles.
class QuantileScale {
 public:
  // The arrays must outlive this object. Without a `min_slope` (0) ε is a share of this row's own distances.
  QuantileScale(std::span<const double> quantiles, std::span<const double> log_odds, double min_slope);

  // In floating point too, T never decreases.
  double forward(double y) const;
  double value(double z) const;  // the y at z
  // The largest y with T(y) <= z and the smallest y with T(y) >= z, exactly, among finite doubles; infinite for an infinite z.
  double highest(double z) const;
  double lowest(double z) const;

  std::span<const double> quantiles() const { return quantiles_; }
  // The same scale with another copy of the quantiles.
  QuantileScale of(std::span<const double> quantiles) const;

  // ε as a share of the distance per unit of l between the outermost quantiles, or its mean over training rows.
  static constexpr double min_share = 1e-3;

 private:
  template <class IsInside>
  double edge(double from, int direction, IsInside is_inside) const;

  std::span<const double> quantiles_, log_odds_;
  double below_, above_;  // y per unit of l beyond the outermost quantiles
};

}  // namespace taut
