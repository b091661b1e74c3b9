// What differs between a comparison of intervals and one of sets: metrics, columns and wording.
#pragma once

#include <string>
#include <vector>

namespace taut {

// A metric by which methods are ranked; lower is better.
struct RankedBy {
  std::string metric;
  std::string opening;  // start of a sentence: "Narrowest"
  std::string title;    // title of a chart: "Mean width"
  std::string behind;   // heading of a column: "behind the narrowest"
};

struct ComparedTask {
  std::vector<std::string> metrics;  // as `taut evaluate` names them
  std::vector<RankedBy> ranked;      // the most important one first
  // Heading and metric of each column of the table. A ranked metric is followed by its column `behind`.
  std::vector<std::pair<std::string, std::string>> columns;
  // Heading and metric of a column that comes first if it is not 0: the share of unbounded intervals, or of sets with all labels.
  std::pair<std::string, std::string> uninformative;
  std::string whole;        // the result of too few rows
  std::string one_for_all;  // what a fit keeps if no trained transformation is better
};

inline const ComparedTask& compared_intervals() {
  static const ComparedTask task{
      {"mean_width", "coverage", "interval_score", "ert", "worst_slab_coverage", "infinite", "unbounded"},
      {{"interval_score", "Best, by the interval score,", "Interval score", "behind the best"},
       {"mean_width", "Narrowest", "Mean width", "behind the narrowest"}},
      {{"interval score", "interval_score"},
       {"width", "mean_width"},
       {"coverage", "coverage"},
       {"L1-ERT", "ert"},
       {"worst slab", "worst_slab_coverage"}},
      {"unbounded", "unbounded"},
      "intervals are the whole line",
      "one width"};
  return task;
}

inline const ComparedTask& compared_sets() {
  static const ComparedTask task{
      {"mean_size", "coverage", "ert", "size_stratified_coverage", "worst_slab_coverage", "singletons", "empty", "full"},
      {{"mean_size", "Smallest sets", "Mean size", "behind the smallest"},
       {"ert", "Coverage most alike across x, by L1-ERT,", "L1-ERT", "behind the least"}},
      {{"mean size", "mean_size"},
       {"L1-ERT", "ert"},
       {"coverage", "coverage"},
       {"least by size", "size_stratified_coverage"},
       {"worst slab", "worst_slab_coverage"},
       {"one label", "singletons"}},
      {"all labels", "full"},
      "sets hold every label",
      "one cut-off everywhere"};
  return task;
}

}  // namespace taut
