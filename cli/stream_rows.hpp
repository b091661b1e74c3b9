// The loop of `taut stream`, for regression and classification: read rows, answer them, learn from their targets.
#pragma once

#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/model/model.hpp>

namespace taut {

// The arguments of `taut stream`. `save` may be empty.
struct RowsToStream {
  const std::string &model_file, &data, &output, &save;
  const LevelOptions& levels;
  const StreamOptions& options;
  const std::vector<std::string>& keep;
  bool is_live;  // `data` is a pipe, so every line is answered at once
  CsvOptions csv;
  std::vector<Column> schema = {};     // the columns of the model's stream, as the file writes them
  const TableView* history = nullptr;  // earlier rows to train on; null if there are none
};

// Says how many rows of an interrupted stream were recovered from its journal; nothing if none.
void report_replayed_rows(const RowsToStream& request, Index rows, Terminal& terminal);

// Answers all rows and learns from them. Returns the alarms about their columns.
std::vector<Alarm> stream_rows(Model& model, const RowsToStream& request, const ExecutionContext& context, Terminal& terminal);

}  // namespace taut
