// What the commands do with models of labels. Each command looks once which kind of model it has and goes on here.
#pragma once

#include <cli/alarms.hpp>
#include <cli/levels.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_rows.hpp>
#include <cli/terminal.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/model/stream_report.hpp>
#include <taut/report/report.hpp>

namespace taut {

// fit: what was learned.
void summarise_sets(const Classifier& model, const std::string& output, Terminal& terminal);
// "boosted trees (3 labels, 250 trees); score least; g by boosted trees, objective size", or that it fell back.
std::string parts_of_sets(const Classifier& model);
std::string labels_in_words(const Classifier& model, std::size_t most);  // so many of them by name
std::string calibration_of_sets(const Classifier& model);
void warn_of_few_rows_for_sets(const Classifier& model, Terminal& terminal);

// predict.
struct SetsAsked {
  const Classifier& model;
  const std::string &data, &output;
  const QuestionOptions& questions;
  const std::vector<std::string>& keep;
  std::optional<Index> smoothing;
  bool check_shift, wide;
  const AlarmOptions& alarms;
  CsvOptions csv;
};
void write_sets(const SetsAsked& asked, const ExecutionContext& context, Terminal& terminal);

// evaluate: the alarms are returned. With `stream` also what a stream that learns from each row would have done, which moves the
// model on.
std::vector<Alarm> evaluate_sets(Classifier& model, const std::string& data, const CsvOptions& csv,
                                 const std::vector<double>& levels, const std::vector<std::string>& by, bool json,
                                 const ExecutionContext& context, Terminal& terminal, const StreamOptions* stream = nullptr);

// report: the alarms are returned.
std::vector<Alarm> report_on_sets(const Classifier& model, const std::string& data, const CsvOptions& csv,
                                  const std::string& output, const ReportOptions& options, const ExecutionContext& context,
                                  Terminal& terminal);

// The rows of a file as `evaluate` and `report` take them: all columns where groups are asked for.
TableView open_labelled_rows(const Classifier& model, const std::string& data, const CsvOptions& csv, bool whole);
// All its columns, as they stand.
TableView open_whole_sets(const Classifier& model, const std::string& data, CsvOptions csv);

// calibrate: the alarms are returned.
struct SetsToCalibrate {
  const std::string &data, &output;
  CsvOptions csv;
  const CalibrationOptions& how;
  bool by_label;
};
std::vector<Alarm> calibrate_sets(Classifier& model, const SetsToCalibrate& asked, const ExecutionContext& context,
                                  Terminal& terminal);

// Of rows to predict, without what the kind of calibration that the model has so far asks for.
std::vector<Column> columns_without_groups(const Classifier& model);

// stream and update.
void stream_sets(Classifier& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal);
void update_sets(Classifier& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal);

// info.
std::string info_of_sets(const Classifier& model, const std::string& path, std::string_view file, bool json);

}  // namespace taut
