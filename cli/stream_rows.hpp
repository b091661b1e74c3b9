// What `taut stream` does with a model of either kind: rows come, are answered, and are learnt from.
#pragma once

#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/model/model.hpp>

namespace taut {

// `save` may be empty.
struct RowsToStream {
  const std::string &model_file, &data, &output, &save;
  const LevelOptions& levels;
  const StreamOptions& options;
  const std::vector<std::string>& keep;
  bool is_live;  // a pipe, to be answered line by line
  CsvOptions csv;
};

void say_what_was_replayed(const RowsToStream& asked, Index rows, Terminal& terminal);

void stream_rows(Model& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal);

}  // namespace taut
