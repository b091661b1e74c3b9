// Everything that the page knows, as the JSON that its script reads.
#pragma once

#include <taut/report/law_sample.hpp>
#include <taut/report/level_summary.hpp>
#include <taut/report/over_time.hpp>
#include <taut/report/reasons.hpp>
#include <taut/report/report.hpp>

namespace taut {

struct ReportData {
  std::vector<LevelSummary> levels;  // the stops of the slider
  std::size_t start = 0;             // where it stands at first
  std::vector<LevelReport> lower;    // levels below those of the slider, for the calibration curve: coverage and its band only
  DrawnColumns drawn;
  Index groups = 0;                   // of rows that are judged at each level
  std::vector<GroupReport> by_group;  // of each level, where groups were asked for
  Sample sample;
  LawSample law;
  ReportReasons reasons;
  std::optional<OverTime> over_time;  // of the slider's levels, where rows come in order
};

std::string report_title(const Regressor& model, const ReportOptions& options);

std::string report_document(const TestRows& rows, const TableView& test, const ReportData& data, const ReportOptions& options,
                            std::size_t most_rows);

}  // namespace taut
