// The exact rank for a confidence level.
#pragma once

#include <taut/core/types.hpp>

#include <string>

namespace taut {

// Throws UsageError unless 0 < confidence < 1.
void check_confidence(double confidence);

// k = ⌈(n + 1) · confidence⌉. A product within rounding of an integer counts as that integer: 10 · 0.9 is 9,
// although the double next to 0.9 is slightly larger. k = n + 1 means that there is no finite quantile.
//
// This is coverage on average over calibration sets. Given one set, the coverage is Beta(k, n + 1 − k). With `sure` above 0 the
// rank is the smallest k with P(Beta(k, n + 1 − k) >= confidence) >= sure: the coverage is at least the confidence for a share
// `sure` of the calibration sets (training-conditional or PAC coverage), and the rank is never below the one without `sure`.
Index exact_rank(Index n, double confidence, double sure = 0);

// Throws UsageError unless 0 <= sure < 1.
void check_sure(double sure);

// If `count` statements must hold together, each must hold with this probability (Bonferroni).
inline double sure_of_each(double sure, Index count) {
  return sure > 0 && count > 1 ? 1 - (1 - sure) / static_cast<double>(count) : sure;
}

// The smallest n for which the rank is at most n: below it intervals are infinite.
Index min_calibration_rows(double confidence, double sure = 0);

// "8 calibration rows are too few for confidence 0.9, where intervals are the whole line; ...", or empty if they suffice.
std::string too_few_rows(Index rows, double confidence, double sure = 0);
// The same for a bound, which is then infinite. `what`: "the upper bound at 0.99".
std::string too_few_for_bound(Index rows, double confidence, const std::string& what, double sure = 0);
// " with --sure 0.95", or empty.
std::string describe_sure(double sure);

}  // namespace taut
