// What the page knows whatever the task, as the JSON that its script reads.
#pragma once

#include <taut/report/contents.hpp>

namespace taut {

std::string report_title(const ReportContents& contents);

// `test`: all rows, those without a target too. What only the task has is still to be added.
Json report_document(const ReportContents& contents, const TableView& test, const ReportData& data);

// What a stream that learns from each row did along time, and what the model did that stays as it is: lists for each level, in
// the order of the slider's; what they share stands once. The model itself learns nothing.
Json over_time_json(const ReportContents& contents, const TableView& test, std::span<const double> levels);

}  // namespace taut
