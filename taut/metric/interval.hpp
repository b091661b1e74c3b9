// Metrics of intervals and of predictive distributions: coverage, width, and scores that combine both.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// Marginal metrics of a set of intervals: coverage, width, and scores that combine both.
//
// Empty sets have width 0 and cover nothing; sets with an infinite end cover what they contain and are infinitely wide, so one of
// them makes a mean infinite: a mean of the others would reward a method for giving up on hard rows. Means over no rows are NaN.

// z: 1 where y lies in its closed interval.
std::vector<std::uint8_t> covered(std::span<const Interval> intervals, std::span<const double> y);
double coverage(std::span<const Interval> intervals, std::span<const double> y);
double mean_of(std::span<const std::uint8_t> z);

// The band that contains the coverage of n test rows with this probability (each tail has at most half of the remaining
// probability) if the quantile is the k-th smallest of N calibration scores: quantiles of Beta-binomial(n; k, N + 1 - k) over n.
// If k > N, intervals are the whole line and the coverage is 1. Ties, steps and known ranges of the target can only raise the
// coverage above the band. NaN if n, N or k is not positive.
inline constexpr double band_probability = 0.99;
Band coverage_band(Index rows, Index calibration_rows, Index rank, double probability = band_probability);

std::vector<double> widths(std::span<const Interval> intervals);  // infinity where an end is infinite
double mean_width(std::span<const Interval> intervals);
double median_width(std::span<const Interval> intervals);
double median_finite_width(std::span<const Interval> intervals);  // for scales of kernels: over finite sets, NaN without any
Index empty_sets(std::span<const Interval> intervals);
Index infinite_sets(std::span<const Interval> intervals);
double unbounded_share(std::span<const Interval> intervals);  // of sets with an infinite end

// Winkler's interval score (u - l) + (2/α)(l - y)₊ + (2/α)(y - u)₊ of one row. Finite ends in the wrong order are exchanged, as
// the field does: [12, 8] is scored like [8, 12]. The score of a set with an infinite end is infinite, and so is that of the
// empty set of a calibrated model, [+infinity, -infinity], whose distance to y has no bound.
double interval_score(const Interval& interval, double y, double alpha);

// Its mean over all rows.
double interval_score(std::span<const Interval> intervals, std::span<const double> y, double alpha);

// Scores of quantiles and of whole predictive distributions.

// (y - q)(p - 1{y < q}): p for a quantile too low, 1 - p for one too high.
double pinball(double quantile, double y, double p);

// One row of quantiles per y, one column per p: the sum over the columns, its mean over the rows.
double pinball(const Matrix& quantiles, std::span<const double> y, std::span<const double> p);

// The continuous ranked probability score ∫ (F(v) - 1{y <= v})² dv of a normal distribution: with w = (y - μ)/σ, φ and Φ its
// density and distribution function, σ (w (2Φ(w) - 1) + 2φ(w) - 1/√π); |y - μ| if σ = 0. σ < 0 is an Error.
double gaussian_crps(double mean, double deviation, double y);

// The same for a distribution with equal steps at `points`: mean|x_i - y| - ½ mean|x_i - x_j|, sorted, in O(m log m).
double step_crps(std::vector<double> points, double y);

}  // namespace taut
