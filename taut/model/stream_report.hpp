// The evaluation of a stream's regions over time.
#pragma once

#include <taut/model/evaluation.hpp>
#include <taut/model/stream.hpp>

#include <string>
#include <vector>

namespace taut {

// Rolling means over the last `window` rows with targets.
struct StreamPoint {
  Index row;  // the last of these rows, counted from 0
  double coverage;
  double mean_size;
  double asked;  // the adapted level of the last row
};

struct StreamLevelReport {
  double confidence = 0;
  double coverage = 0;
  double worst_coverage = 0;  // the lowest of any `window` consecutive rows
  Index worst_row = 0;        // the last of these rows
  double mean_size = 0, interval_score = 0;
  Index infinite = 0;
  // The adapted level: its minimum, mean, maximum and last value.
  double asked_low = 0, asked_mean = 0, asked_high = 0, asked_last = 0;
  double band_low = 0, band_high = 0;  // 99 % band of the coverage of `window` rows at the probability `confidence`
  std::vector<StreamPoint> rolling;    // at evenly spaced rows
};

struct StreamReport {
  Index rows = 0, targets = 0;
  Index window = 0;  // of rolling coverage: 500 rows, or all if there are fewer
  std::vector<StreamLevelReport> levels;
};

StreamReport evaluate_stream(const Streamed& streamed);

// The settings and the state of a stream as JSON.
Value facts_of(const LevelStream& stream);

// The report of `evaluate --in-order` as JSON and as text.
Value facts_of(const StreamReport& report, const RegionWords& words);
std::string describe(const StreamReport& report, const RegionWords& words);

}  // namespace taut
