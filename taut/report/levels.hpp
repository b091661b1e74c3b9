// The results of all test rows at each level of the page's slider.
#pragma once

#include <taut/model/evaluation.hpp>
#include <taut/report/failures.hpp>

namespace taut {

class ReportContents;
using Metrics = std::vector<std::pair<std::string, double>>;  // by name; NaN where one is not defined

struct LevelSummary {
  double confidence = 0;
  Index rank = 0;        // 0 where rows have laws of their own
  double delivered = 0;  // the coverage that calibration guarantees; NaN where rows were fitted in order
  ExpectedRanges expected;
  Index covered = 0;
  Metrics metrics{};  // at some levels all of them, at the others without those that take long
  WidthSummary width{};
  LevelGroups groups{};
  std::vector<Failure> failures{};
  Answer answer{};

  double metric(std::string_view name) const;
};

// Of the calibration curve.
struct CoverageAt {
  double confidence, coverage, low, high;
};

struct ReportData {
  std::vector<double> slider;
  std::size_t start = 0;  // where it stands at first
  std::vector<LevelSummary> levels;
  std::vector<CoverageAt> curve;  // those below the slider's levels too
  DrawnColumns drawn;
  Index groups = 0;                   // of rows that are judged at each level
  std::vector<GroupReport> by_group;  // of each level, where groups were asked for
};

// Every percent from 0.5 to 0.99, and the level that was asked for.
std::vector<double> slider_levels(double confidence);
std::size_t position_of(const std::vector<double>& levels, double confidence);

ReportData collect_levels(ReportContents& contents);

}  // namespace taut
