// How good a model's sets of labels are on test rows, as the page of report.hpp: same looks, same slider, pictures of sets.
#pragma once

#include <taut/task/label/classifier.hpp>
#include <taut/report/report.hpp>

namespace taut {

// The rows need the columns of Classifier::evaluation_schema(), or with in_order stream_schema(). Options about numbers (unit,
// learning_curve) are an Error.
std::string report_html(const Classifier& model, const TableView& test, const ReportOptions& options = {},
                        const ExecutionContext& context = {});

void write_report(const Classifier& model, const TableView& test, const std::string& path, ReportOptions options = {},
                  const ExecutionContext& context = {});

}  // namespace taut
