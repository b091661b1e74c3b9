// How good intervals or sets are on rows whose target is known: by group, and along time.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/model/stream.hpp>

#include <span>
#include <string>
#include <vector>

namespace taut {

// Coverage and width of groups of test rows, the one that needs attention most first.

// A group of calibration rows.
struct GroupSize {
  std::string name;
  Index rows = 0;
};

// Test rows in groups.
struct GroupedTable {
  std::vector<std::string> names;
  std::vector<Index> of_row;
};

struct GroupLine {
  std::string name;
  Index rows = 0, covered = 0;
  double mean_width = missing;  // infinite where an interval is
  Index infinite = 0;
  Band band{missing, missing};  // where the group's coverage lies, 99 times in 100 (Clopper and Pearson, exact)
  double p_value = 1;           // of so few covered rows if what is promised held for the group; calibration rows are random too

  double coverage() const { return static_cast<double>(covered) / static_cast<double>(rows); }
};

struct GroupReport {
  double confidence = 0;
  std::vector<GroupLine> lines;    // the smallest p-value first
  std::vector<std::string> below;  // groups that cover less than the level, beyond chance: 99 times in 100 none that should not

  // "2 of 7 groups cover less than 0.9, beyond what chance explains: ...", or that none does.
  std::string in_words() const;
};

class CoverageChance;

// A group is below its level where it is covered less often than chance explains, in `chance`: by the calibration rows that count
// for its rows, and by as many groups as there are (Holm 1979, whatever groups have in common).
GroupReport judge_groups(const GroupedTable& groups, std::span<const Interval> intervals, std::span<const double> y,
                         double confidence, const CoverageChance& chance);

// How good the intervals of a stream were along time.

// Over the rows with targets up to one of them.
struct StreamPoint {
  Index row;         // the last, counted from 0
  double coverage;   // over the last `window` of them
  double mean_width;
  double asked;      // the confidence that stood for the level
};

struct StreamLevelReport {
  double confidence = 0;
  double coverage = 0;
  double worst_coverage = 0;  // of any `window` rows in turn
  Index worst_row = 0;        // the last of these
  double mean_width = 0, interval_score = 0;
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

}  // namespace taut
