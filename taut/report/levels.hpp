// The results on all test rows at each level of the page's slider.
#pragma once

#include <taut/model/evaluation.hpp>
#include <taut/report/failures.hpp>

namespace taut {

class ReportContents;
using Metrics = std::vector<std::pair<std::string, double>>;  // names and values; NaN if a metric is not defined

struct LevelSummary {
  double confidence = 0;
  Index rank = 0;        // 0 if the distribution of scores differs between rows
  double delivered = 0;  // the coverage that calibration guarantees; NaN if the model was fitted to rows in order
  ExpectedRanges expected;
  Index covered = 0;
  Metrics metrics{};  // slow metrics are NaN at most levels
  WidthSummary width{};
  LevelGroups groups{};
  std::vector<Failure> failures{};
  Answer answer{};

  double metric(std::string_view name) const;
};

// One point of the calibration curve.
struct CoverageAt {
  double confidence, coverage, low, high;
};

struct ReportData {
  std::vector<double> slider;
  std::size_t start = 0;  // its initial position
  std::vector<LevelSummary> levels;
  std::vector<CoverageAt> curve;  // also for levels below those of the slider
  ChartColumns drawn;
  Index groups = 0;                   // the number of groups of rows evaluated at each level
  std::vector<GroupReport> by_group;  // for each level, if ReportOptions::by is not empty
};

// Every percent from 0.5 to 0.99, and `confidence`.
std::vector<double> slider_levels(double confidence);
// The position of `confidence` among the levels, or levels.size().
std::size_t position_of(const std::vector<double>& levels, double confidence);

ReportData collect_levels(ReportContents& contents);

}  // namespace taut
