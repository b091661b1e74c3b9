// Metrics of intervals: one number per metric, over the rows of a test set.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace taut {

// The input of a metric. Nothing is copied: the views must outlive the call.
struct Judged {
  std::span<const Interval> intervals;  // one per row; sets may be empty or have infinite ends
  std::span<const double> y;
  double confidence = 0.9;
  const Inputs* x = nullptr;   // standardised inputs of the rows; null if there are none
  Index calibration_rows = 0;  // N; 0 if unknown
  Index rank = 0;              // k: the quantile is the k-th smallest calibration score; 0 if unknown
  Index last_rank = 0;         // the highest rank with the same score, if known: ties raise coverage
  std::uint64_t seed = 0;
  int threads = 0;
  std::optional<Band> band = {};  // of the coverage, if it does not follow from N and k
};

class Metric {
 public:
  virtual ~Metric() = default;

  // Never throws for rows that fit together; NaN means "not defined for these rows".
  virtual double value(const Judged& judged) const = 0;
  virtual bool needs_inputs() const { return false; }
};

// The names are those of `evaluate --json`.
Registry<Metric>& metrics();

// The list entry of a metric without an argument.

template <class Concrete>
Listed<Metric> listed_metric(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), [](std::string_view) { return std::make_unique<Concrete>(); }};
}

}  // namespace taut
