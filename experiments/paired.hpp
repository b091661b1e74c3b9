// The p-value of a difference between two methods that were measured on the same halvings of one table.
//
// Splits of one table share rows, so their differences are strongly correlated, and even many splits do not show how the result
// would vary between tables. Halving m gives d and d', one for each tested half, and c_m = (d + d') / 2, in which every row is
// fitted once and tested once. The two halves share no row, but d and d' both use all rows: a row that harms one method when it
// is fitted, and again when it is tested, moves both in the same direction. One outlier can make all d and d' agree, so their
// difference does not measure the random error.
//
// Therefore each half is halved once more, and its two quarters are fitted and tested in turn. This gives c(1) and c(2),
// differences from disjoint halves of the table. They are independent and have the same distribution, hence
//
//   e_m = (c(1) - c(2)) / 2    varies as much as    (c(1) + c(2)) / 2
//
// however rows affect the methods. The latter varies at least as much as c_m: in both, every row is fitted once and tested once
// with the same weight, and smaller fits vary more. If a single row decides everything, |e_m| = |c(1) + c(2)| / 2, so t = 1.
//
//   error² = sum of e_m² / M,    p = P(|T| >= |mean| / error),  T of Student's distribution with M degrees of freedom
//
// The mean of M halvings varies less than a single c_m, so p is conservative. The squared error is at least that between d and
// d', 1.25² · sum of ((d - d') / 2)² / M. Student's distribution is not valid if differences are tied, as for targets in steps,
// or if there are only one or two halvings, which may agree by accident. Then p is at least the rank p-value of the mean among
// all e_m, (1 + count of |e_m| >= |mean|) / (M + 1).
//
// If a quarter is too small to be fitted, or has an unbounded set, the error and the p-value are NaN.
#pragma once

#include <vector>

namespace taut {

struct PairedDifference {
  double mean = 0;
  double error = 0;    // standard error of the mean; NaN if it is not known
  double p_value = 1;  // two-sided; NaN if there is none
};

// One metric of one method.
struct PairedValues {
  std::vector<double> halves;    // two for each halving m, at 2m and 2m + 1: one for each tested half
  std::vector<double> quarters;  // four for each halving: the tested quarters of the first half, then of the second
};

// The difference a − b. The mean is not finite if a value of a half is not; the error is NaN if a value of a quarter is not
// finite.
PairedDifference paired_difference(const PairedValues& a, const PairedValues& b);

// The difference a − b over blocks of one series. Blocks depend on one another, so there is no p-value, and the error, which
// assumes independent blocks, is only descriptive.
PairedDifference described_difference(const std::vector<double>& a, const std::vector<double>& b);

// P(|T| >= |t|) for Student's distribution.
double student_two_sided(double t, double degrees);

}  // namespace taut
