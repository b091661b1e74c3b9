#include <taut/calibrate/rank.hpp>

#include <taut/core/beta.hpp>
#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw UsageError("confidence must lie between 0 and 1, both excluded, for example 0.9; got " + print_number(confidence));
}

void check_sure(double sure) {
  if (sure >= 0 && sure < 1) return;
  throw UsageError("--sure must be a probability below 1, for example 0.95, or 0 for none; got " + print_number(sure));
}

std::string describe_sure(double sure) { return sure > 0 ? " with --sure " + print_rounded(sure, 6) : ""; }

namespace {

// By bisection: P(Beta(k, n + 1 − k) < confidence) falls as k grows.
Index sure_rank(Index n, double confidence, double sure, Index low) {
  constexpr double rounding = 1e-12;  // of the distribution function
  const auto is_enough = [&](Index k) {
    return beta_cdf(confidence, static_cast<double>(k), static_cast<double>(n + 1 - k)) <= (1 - sure) + rounding;
  };
  Index high = n + 1;
  while (low < high) {
    const Index middle = low + (high - low) / 2;  // at most n
    if (is_enough(middle))
      high = middle;
    else
      low = middle + 1;
  }
  if (fault("sure-rank-below")) return std::max<Index>(1, low - 1);
  if (fault("sure-rank-above")) return std::min(n + 1, low + 1);
  return low;
}

}  // namespace

Index exact_rank(Index n, double confidence, double sure) {
  check_confidence(confidence);
  const double product = static_cast<double>(n + 1) * confidence;
  const double nearest = std::round(product);
  // confidence has a rounding error of half a unit in the last place, and often another from 1 − α. Four units cover both.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(n + 1);
  const double rank = std::abs(product - nearest) <= rounding ? nearest : std::ceil(product);
  const Index wrong_by = fault("rank-above") ? 1 : fault("rank-below") ? -1 : 0;
  const auto k = std::max<Index>(1, static_cast<Index>(rank) + wrong_by);
  return sure > 0 && n > 0 ? sure_rank(n, confidence, sure, std::min(k, n + 1)) : k;
}

Index min_calibration_rows(double confidence, double sure) {
  check_confidence(confidence);
  // A start that is exact up to rounding; exact_rank decides. With `sure` the largest of n scores must suffice:
  // 1 − confidence^n >= sure.
  auto n = static_cast<Index>(confidence / (1 - confidence));
  if (sure > 0) n = std::max(n, static_cast<Index>(std::log1p(-sure) / std::log(confidence)));
  n = std::max<Index>(1, n - 1);
  while (exact_rank(n, confidence, sure) > n) ++n;
  return n;
}

std::string too_few_rows(Index rows, double confidence, double sure) {
  if (exact_rank(rows, confidence, sure) <= rows) return "";
  return format_text("{} {} too few for confidence {}{}, where intervals are the whole line; at least {} are needed",
                     counted(rows, "calibration row"), rows == 1 ? "is" : "are", print_number(confidence), describe_sure(sure),
                     print_count(min_calibration_rows(confidence, sure)));
}

std::string too_few_for_bound(Index rows, double confidence, const std::string& what, double sure) {
  if (exact_rank(rows, confidence, sure) <= rows) return "";
  return format_text("{} {} too few for {}{}, which is infinite; at least {} are needed", counted(rows, "calibration row"),
                     rows == 1 ? "is" : "are", what, describe_sure(sure), print_count(min_calibration_rows(confidence, sure)));
}

}  // namespace taut
