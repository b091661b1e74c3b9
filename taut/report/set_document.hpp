// Everything that the page of sets knows, as the JSON that its script reads.
#pragma once

#include <taut/report/facts.hpp>
#include <taut/report/over_time.hpp>
#include <taut/report/set_levels.hpp>

namespace taut {

struct SetReportData {
  std::vector<LevelSummary> levels;  // the stops of the slider
  std::vector<std::vector<SetLine>> by_label;
  std::vector<Matrix> held;
  std::vector<std::vector<SetLine>> by_group;  // of each level, where groups were asked for
  std::size_t start = 0;
  DrawnColumns drawn;
  std::vector<Index> labels;  // those that are drawn
  Index groups = 0;
  std::optional<OverTime> over_time;  // of the slider's levels, where rows come in order
};

// Rows in ten groups of a probability: how often what it says came true.
struct ReliabilityBin {
  Index rows = 0, right = 0;
  double mean = 0;  // of the probability
  Band band{missing, missing};
};
std::vector<ReliabilityBin> reliability(std::span<const double> p, std::span<const std::uint8_t> right);

std::string set_report_title(const Classifier& model, const ReportOptions& options);
std::string set_report_document(const SetTestRows& rows, const SetReportData& data, const ReportOptions& options);

std::vector<FactGroup> facts(const Classifier& model, const TableView& test);
std::vector<std::string> commands_to_reproduce(const Classifier& model, const TableView& test, const ReportOptions& options);

}  // namespace taut
