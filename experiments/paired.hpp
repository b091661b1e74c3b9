// The p-value of a difference between two methods that were measured on the same halvings of one table.
//
// Splits of one table share rows, so their differences d are strongly correlated, and the correlation is unknown: where
// training rows make the difference, two random splits of 80 % to 20 % correlate by 0.8, where test rows make it by 0.2. A table
// that is cut into halves, each of which is fitted on and tested on once, needs no guess. Let halving m give d and d'.
//
//   c_m = (d + d') / 2    every row is used once to fit and once to test
//   e_m = (d - d') / 2    the same with the sign of what the rows of one half contribute turned over
//
// Var(c_m) - Var(e_m) = Cov(d, d'). If only training rows matter, or only test rows, then d and d' come from different rows, and
// the covariance is 0, whatever the metric. It is negative where a row that is fitted pulls a method towards itself. It is
// positive where a row harms the same method when it is fitted and when it is tested: a large residual widens intervals that are
// too wide already, and lies outside of them as a test row. If the one is r times the other, then Var(c_m) / Var(e_m) = ((1 + r)
// / (1 - r))². Simulations show an r of about 0.05; the factor 1.25 below leaves room for 0.11. With it the mean of all c_m
// varies from table to table no more than an e_m does, and the e_m of random halvings are draws of that:
//
//   error² = 1.25² · sum of e_m² / M,    p = P(|T| >= |mean| / error),  T of Student's law with M degrees of freedom
//
// It is far on the safe side where differences vary from split to split for reasons of their own, as widths do: the mean of M
// averages these, and an e_m does not. (Subtracting what the c_m differ from one another by, which would be unbiased, was tried:
// from so few numbers it made false alarms of the interval score twice as frequent as they may be.) Where differences repeat
// exactly, as those of targets in steps do, or there are only one or two halvings, which may agree by accident, Student's law is
// no guide: there p is at least the rank of the mean among all e_m, (1 + count of |e_m| >= |mean|) / (M + 1).
#pragma once

#include <vector>

namespace taut {

struct PairedDifference {
  double mean = 0;
  double error = 0;    // standard error of the mean
  double p_value = 1;  // two-sided
};

// Of a − b. Values 2m and 2m + 1 are those of halving m, one for each half that was tested. Not finite where a value is not.
PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b);

// P(|T| >= |t|) for Student's law.
double student_two_sided(double t, double degrees);

}  // namespace taut
