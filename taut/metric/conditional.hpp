// Metrics of conditional coverage, given the width, a feature, a group or x: does coverage hold everywhere, or only on average?
//
// z is the 0/1 vector of covered rows, t = 1 - α the nominal coverage.
#pragma once

#include <taut/core/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

using Covered = std::span<const std::uint8_t>;

struct CoverageBin {
  double low, high;  // of the values of its rows
  Index rows;
  double coverage;
};

// Rows sorted by `values` and cut into `bins` parts of equal size (the first ones have one more row if there is a remainder).
// Equal values stay together: a cut inside such a run moves to its end, so there may be fewer bins. Equal means to 1e-9
// relative: the widths of (f + d) - (f - d) differ by rounding. NaN values form a separate last bin.
std::vector<CoverageBin> coverage_by_bin(std::span<const double> values, Covered z, Index bins);

// The number of groups: ten, or fewer such that a group has at least fifty rows. The minimum over smaller groups would show noise
// rather than coverage.
Index coverage_groups(Index rows);

// coverage_by_bin of the widths; infinite sets are the widest.
std::vector<CoverageBin> size_stratified_coverage(std::span<const Interval> intervals, std::span<const double> y, Index bins);

// Mean over groups of |coverage of the group - t|; groups are any integers.
double coverage_gap(std::span<const std::int64_t> groups, Covered z, double t);

// √ mean (c_i - t)² where the true coverages c_i = P(y in C(x_i) | x_i) are known.
double conditional_coverage_rmse(std::span<const double> true_coverage, double t);

// L1-ERT: mean of sign(h(x) - t)(z - t), h a classifier of z cross-fitted over `folds` parts. In expectation a lower bound of
// E|P(z = 1 | x) - t|, with equality for the best h; 0 (± noise, also below) when coverage is t everywhere. Fewer than ten
// rows a fold: NaN. When all z are equal there is nothing to learn and it is |mean z - t|.
double ert(const Inputs& x, Covered z, double t, std::uint64_t seed = 0, int threads = 0, int folds = 5);

// The Hilbert-Schmidt independence criterion of width and coverage, √(tr(LHKH) / (n - 1)²), with Gaussian kernels
// K = exp(-(w_i - w_j)² / width_size), L = exp(-(z_i - z_j)² / z_size) and H the centring matrix. Since z is 0 or 1,
// tr(LHKH) = 2 (1 - e^(-1/z_size)) Σ_ij c_i K_ij c_j with c = z - mean z. Infinite widths equal one another and are far from all
// others. Exact to about 1e-12 in O(n log n) time and O(n) memory. NaN for fewer than two rows.
double hsic(std::span<const double> widths, Covered z, double width_size = 1, double z_size = 1);

}  // namespace taut
