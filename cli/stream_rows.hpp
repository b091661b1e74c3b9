// What `taut stream` does with a model of either kind: rows come, are answered, and are learnt from.
#pragma once

#include <cli/levels.hpp>
#include <cli/stream_options.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/core/file.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_journal.hpp>

#include <optional>
#include <set>

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

// The next rows. An interrupt closes standard input, which surfaces as any error: here as Interrupted.
bool next_of_stream(RowReader& reader, Batch& batch, const RowsToStream& asked, const ExecutionContext& context);
// What is there when a stream is interrupted, and how to go on.
Interrupted interrupted_stream(const RowsToStream& asked);
void say_what_was_replayed(const RowsToStream& asked, Index rows, Terminal& terminal);

inline Index refits_of(const Regressor& model) { return model.refits(); }
inline Index refits_of(const Classifier&) { return 0; }  // models of labels refuse to train anew

// `columns` of the answers, of which `texts` hold texts; write(writer, batch, answered) writes them.
template <class AnyKind, class Write>
void stream_rows(AnyKind& model, const RowsToStream& asked, const std::vector<std::string>& columns,
                 const std::set<std::string>& texts, const Write& write, const ExecutionContext& context, Terminal& terminal) {
  constexpr Index rows_worth_threads = 256;
  constexpr Index rows_of_journal = 100'000;  // then the model is saved anew, so the journal of an endless stream does not grow
  const auto& levels = asked.levels.values();
  CsvOptions csv = asked.csv;
  csv.is_prompt = asked.is_live;
  csv.optional = {model.target().name};
  const Kept kept = is_columnar_name(asked.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(asked.data, model.stream_schema(), asked.keep, kept, csv);
  OutputFile file(asked.output);
  const auto writer = make_result_writer(file, asked.output, asked.keep, columns, texts);
  const bool answers_at_once = asked.is_live && asked.output == "-";
  if (answers_at_once) writer->flush();
  std::optional<StreamJournal> journal;
  if (!asked.save.empty()) {
    model.begin_stream(levels, asked.options);
    model.save(asked.save);
    journal.emplace(asked.save);
  }

  Batch batch;
  StreamTally tally;
  while (next_of_stream(*reader, batch, asked, context)) {
    ExecutionContext own = context;
    if (batch.table.rows() < rows_worth_threads) own.threads = 1;
    const auto answered = model.stream(batch.table, levels, asked.options, own);
    if (journal) journal->add(answered);
    if (journal && journal->rows() >= rows_of_journal) {
      model.save(asked.save);
      journal.emplace(asked.save);
    }
    write(*writer, batch, answered);
    if (answers_at_once) writer->flush();
    tally.add(answered);
    if (context.cancelled && context.cancelled()) throw interrupted_stream(asked);
  }
  writer->finish();
  file.commit();
  if (journal) {
    model.end_stream();
    model.save(asked.save);
    journal->remove();
  }
  tally.tell(asked.data == "-" ? "standard input" : asked.data, refits_of(model), model.stream_state(), terminal);
  for (const Alarm& alarm : alarms_of(reader->mismatches())) terminal.warn(alarm.words);
}

}  // namespace taut
