// Whether one method is better than another on the same splits, or only luckier.
#pragma once

#include <vector>

namespace taut {

struct PairedDifference {
  double mean = 0;
  double error = 0;  // standard error of the mean
  double p = 1;      // how often chance alone would give a difference as large; NaN where one split cannot tell
};

// Of a − b, value by value. Splits of one table share rows, so their differences are not independent and the plain standard
// error is too small; with n repeats whose test part is `test_to_train` times the rest, Nadeau and Bengio (2003) correct it to
//   error² = s² (1/n + test_to_train),  p from Student's law with n − 1 degrees of freedom.
PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b, double test_to_train);

// P(|T| >= |t|) for Student's law.
double student_two_sided(double t, double degrees);

}  // namespace taut
