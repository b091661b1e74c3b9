// What the commands do with models of labels. Each command looks once which kind of model it has and goes on here.
#pragma once

#include <cli/alarms.hpp>
#include <cli/question_options.hpp>
#include <cli/terminal.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/model/reports.hpp>
#include <taut/report/report.hpp>
#include <taut/task/any_model.hpp>

namespace taut {

// evaluate: the alarms are returned. With `stream` also what a stream that learns from each row would have done, which moves the
// model on.
std::vector<Alarm> evaluate_sets(Classifier& model, const std::string& data, const CsvOptions& csv,
                                 const std::vector<double>& levels, const std::vector<std::string>& by, bool json,
                                 const ExecutionContext& context, Terminal& terminal, const StreamOptions* stream = nullptr);

// report: the alarms are returned.
std::vector<Alarm> report_on_sets(const Classifier& model, const std::string& data, const CsvOptions& csv,
                                  const std::string& output, const ReportOptions& options, const ExecutionContext& context,
                                  Terminal& terminal);

// info.
std::string info_of_sets(const Classifier& model, const std::string& path, std::string_view file, bool json);

}  // namespace taut
