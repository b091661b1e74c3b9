// The p-value of a difference between two methods that were measured on the same halvings of one table.
//
// Splits of one table share rows, so their differences d are strongly correlated, by how much nobody can tell in general: where
// training rows make the difference, two random splits of 80 % to 20 % agree by 0.8, where test rows make it by 0.2. A table that
// is cut into halves, each of which is fitted on and tested on once, needs no guess. Let the halving m give d and d'.
//
//   c_m = (d + d') / 2    every row is used once to fit and once to test
//   e_m = (d - d') / 2    the same with the sign of what the rows of one half contribute turned over
//
// Var(c_m) - Var(e_m) = Cov(d, d'). If only training rows matter, or only test rows, d and d' come from different rows, so that
// the covariance is 0, whatever the metric. It is negative where a row that is fitted pulls a method towards itself, and positive
// only if a row helps the same method when it is fitted and when it is tested. But for that last case the mean of all c_m varies
// from table to table no more than one e_m does, and the e_m of random halvings are draws of it:
//
//   error² = sum of e_m² / M,    p = P(|T| >= |mean| / error),  T of Student's law with M degrees of freedom
//
// It is on the safe side where differences vary from split to split for reasons of their own, since the mean of M averages these
// and e_m does not. Where differences repeat exactly, as those of targets in steps do, Student's law is far off: there p is at
// least the rank of the mean among all e_m, (1 + count of |e_m| >= |mean|) / (M + 1), which exchangeability alone justifies.
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
