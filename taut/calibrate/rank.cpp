#include <taut/calibrate/rank.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw UsageError("confidence must lie between 0 and 1, both excluded, for example 0.9; got " + print_number(confidence));
}

Index exact_rank(Index n, double confidence) {
  check_confidence(confidence);
  const double product = static_cast<double>(n + 1) * confidence;
  const double nearest = std::round(product);
  // confidence carries half a unit in the last place, often after a subtraction 1 − α near 1; a few units cover both.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(n + 1);
  const double rank = std::abs(product - nearest) <= rounding ? nearest : std::ceil(product);
  return std::max<Index>(1, static_cast<Index>(rank));
}

Index least_calibration_rows(double confidence) {
  check_confidence(confidence);
  auto n = static_cast<Index>(confidence / (1 - confidence));  // exact up to rounding; the rank itself decides
  n = std::max<Index>(1, n - 1);
  while (exact_rank(n, confidence) > n) ++n;
  return n;
}

std::string too_few_rows(Index rows, double confidence) {
  if (exact_rank(rows, confidence) <= rows) return "";
  return counted(rows, "calibration row") + (rows == 1 ? " is" : " are") + " too few for confidence " + print_number(confidence) +
         ", where intervals are the whole line; at least " + print_count(least_calibration_rows(confidence)) + " are needed";
}

std::string too_few_for_bound(Index rows, double confidence, const std::string& what) {
  if (exact_rank(rows, confidence) <= rows) return "";
  return print_count(rows) + " calibration rows are too few for " + what + ", which is infinite; at least " +
         print_count(least_calibration_rows(confidence)) + " are needed";
}

}  // namespace taut
