// How good the regions of a stream were along time.
#pragma once

#include <taut/model/evaluation.hpp>
#include <taut/model/stream.hpp>

#include <string>
#include <vector>

namespace taut {

// Over the rows with targets up to one of them.
struct StreamPoint {
  Index row;        // the last, counted from 0
  double coverage;  // over the last `window` of them
  double mean_size;
  double asked;  // the confidence that stood for the level
};

struct StreamLevelReport {
  double confidence = 0;
  double coverage = 0;
  double worst_coverage = 0;  // of any `window` rows in turn
  Index worst_row = 0;        // the last of these
  double mean_size = 0, interval_score = 0;
  Index infinite = 0;
  // The confidence that stood for the level: at its least, on average, at its most, and at the end.
  double asked_low = 0, asked_mean = 0, asked_high = 0, asked_last = 0;
  double band_low = 0, band_high = 0;  // where the coverage of `window` rows lies 99 times in 100 when each covers by the level
  std::vector<StreamPoint> rolling;    // some along time, evenly
};

struct StreamReport {
  Index rows = 0, targets = 0;
  Index window = 0;  // of rolling coverage: 500, or all where there are fewer
  std::vector<StreamLevelReport> levels;
};

StreamReport judge_stream(const Streamed& streamed);

// How a stream goes on and where it stands, for programs.
Value facts_of(const LevelStream& stream);

// For programs and for readers, as `evaluate --in-order` tells it.
Value facts_of(const StreamReport& report, const RegionWords& words);
std::string describe(const StreamReport& report, const RegionWords& words);

}  // namespace taut
