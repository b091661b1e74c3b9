// Everything that the page knows, as the JSON that its script reads.
#pragma once

#include <taut/report/features.hpp>
#include <taut/report/report.hpp>
#include <taut/report/sample.hpp>

namespace taut {

struct Findings {
  std::vector<LevelFigures> levels;  // the stops of the slider
  std::size_t start = 0;             // where it stands at first
  std::vector<LevelReport> lower;    // levels below those of the slider, for the calibration curve: coverage and its band only
  DrawnColumns drawn;
  Sample sample;
};

std::string report_title(const Model& model, const ReportOptions& options);

std::string report_document(const TestRows& rows, const TableView& test, const Findings& findings, const ReportOptions& options,
                            std::size_t most_rows);

}  // namespace taut
