// The p-value of a difference between two methods that were measured on the same halvings of one table.
//
// Splits of one table share rows, so their differences are strongly correlated, and no number of splits tells how far another
// table would lead. Halving m gives d and d', one for each half that was tested, and c_m = (d + d') / 2, in which every row is
// fitted once and tested once. The two halves share no row, but d and d' do: a row that harms one method when it is fitted, and
// again when it is tested, moves both the same way. One outlier can make all d and d' agree, so what they differ by says nothing
// about chance.
//
// So each half is halved once more, and its two quarters are fitted and tested in turn. That gives c(1) and c(2), differences
// that come from disjoint halves of the table. They are independent and have the same distribution, hence
//
//   e_m = (c(1) - c(2)) / 2    varies as much as    (c(1) + c(2)) / 2
//
// whatever rows do to methods. The latter varies at least as much as c_m: every row is fitted once and tested once in both, with
// the same weight, and smaller fits vary more. A single row that decides everything has |e_m| = |c(1) + c(2)| / 2: a t of 1.
//
//   error² = sum of e_m² / M,    p = P(|T| >= |mean| / error),  T of Student's distribution with M degrees of freedom
//
// The mean of M halvings varies less than a c_m, so p is on the safe side. The error is never below what d and d' say by
// themselves, 1.25² · sum of ((d - d') / 2)² / M. Where differences repeat exactly, as those of targets in steps do, or there are
// only one or two halvings, which may agree by accident, Student's distribution is no guide: there p is at least the rank of the
// mean among all e_m, (1 + count of |e_m| >= |mean|) / (M + 1).
//
// Where a quarter is too small to be fitted, or has an unbounded set, there is no such error and no p-value.
#pragma once

#include <vector>

namespace taut {

struct PairedDifference {
  double mean = 0;
  double error = 0;    // standard error of the mean; NaN where it is not known
  double p_value = 1;  // two-sided; NaN where there is none
};

// One metric of one method.
struct PairedValues {
  std::vector<double> halves;    // two for each halving m: 2m and 2m + 1, one for each half that was tested
  std::vector<double> quarters;  // four: the two quarters of the first half, and those of the second, each tested by its sibling
};

// Of a − b. Not finite where a value of a half is not; without an error where one of a quarter is not.
PairedDifference paired_difference(const PairedValues& a, const PairedValues& b);

// Of a − b in blocks of one series, which depend on one another: the error is that of the mean of these differences as if they
// did not, to describe them; there is no p-value.
PairedDifference described_difference(const std::vector<double>& a, const std::vector<double>& b);

// P(|T| >= |t|) for Student's distribution.
double student_two_sided(double t, double degrees);

}  // namespace taut
