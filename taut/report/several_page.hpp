// The report on joint regions of several targets.
#pragma once

#include <taut/report/report.hpp>

namespace taut {

// The page as text, made of charts and tables: coverage of all targets at once and of each, volumes, and pictures of regions for
// pairs of targets at a few rows. Throws UsageError for options that such a report does not have.
std::string several_report(const Model& model, const TableView& test, const ReportOptions& options,
                           const ExecutionContext& context);

}  // namespace taut
