// The exact rank behind a confidence level.
#pragma once

#include <taut/core/types.hpp>

#include <string>

namespace taut {

// Throws UsageError unless 0 < confidence < 1.
void check_confidence(double confidence);

// k = ⌈(n + 1) · confidence⌉. The product is taken for the integer it stands for when it lies within rounding of one:
// 10 · 0.9 is 9, although the double next to 0.9 is a little more. k = n + 1 means that there is no finite quantile.
Index exact_rank(Index n, double confidence);

// The smallest n for which the rank is at most n: below it intervals are infinite.
Index least_calibration_rows(double confidence);

// "8 calibration rows are too few for confidence 0.9, where intervals are the whole line; ...", or nothing when they suffice.
std::string too_few_rows(Index rows, double confidence);
// The same for a bound, which is then infinite. `what`: "the upper bound at 0.99".
std::string too_few_for_bound(Index rows, double confidence, const std::string& what);

}  // namespace taut
