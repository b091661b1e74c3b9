#include <cli/stream_rows.hpp>

#include <cli/answer_writer.hpp>
#include <taut/core/file.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_safety.hpp>

#include <optional>

namespace taut {

namespace {

// What is there when a stream is interrupted, and how to go on.
Interrupted interrupted_stream(const RowsToStream& asked) {
  const std::string answers =
      asked.output == "-" ? "the answers so far are written" : "no answers are written to '" + asked.output + "'";
  if (asked.save.empty()) return Interrupted(answers);
  return Interrupted(answers + "; what was learnt is in '" + asked.save + "' and its journal: go on with taut stream " +
                     asked.save);
}

// The next rows. An interrupt closes standard input, which surfaces as any error: here as Interrupted.
bool next_of_stream(RowReader& reader, Batch& batch, const RowsToStream& asked, const ExecutionContext& context) {
  constexpr Index rows_of_batch = 1 << 14;  // so memory does not grow with the file
  try {
    return reader.next(batch, rows_of_batch);
  } catch (const Error&) {
    if (context.cancelled && context.cancelled()) throw interrupted_stream(asked);
    throw;
  }
}

}  // namespace

void say_what_was_replayed(const RowsToStream& asked, Index rows, Terminal& terminal) {
  if (rows > 0)
    terminal.say(asked.model_file + ": " + std::to_string(rows) + " rows of a stream that was cut off, from " +
                 journal_name(asked.model_file));
}

void stream_rows(Model& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal) {
  constexpr Index rows_worth_threads = 256;
  constexpr Index rows_of_journal = 100'000;  // then the model is saved anew, so the journal of an endless stream does not grow
  const auto& levels = asked.levels.values();
  CsvOptions csv = asked.csv;
  csv.is_prompt = asked.is_live;
  csv.optional = {model.target().name};
  const Kept kept = is_columnar_name(asked.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(asked.data, model.stream_schema(), asked.keep, kept, csv);
  OutputFile file(asked.output);
  const auto columns = model.task().stream_columns(asked.levels.texts());
  const auto writer = make_answer_writer(file, asked.output, asked.data, asked.keep, columns);
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
    if (journal) journal->add(*answered);
    if (journal && journal->rows() >= rows_of_journal) {
      model.save(asked.save);
      journal.emplace(asked.save);
    }
    writer->write(batch, model.task().stream_cells(*answered));
    if (answers_at_once) writer->flush();
    tally.add(*answered);
    if (context.cancelled && context.cancelled()) throw interrupted_stream(asked);
  }
  writer->finish();
  file.commit();
  if (journal) {
    model.end_stream();
    model.save(asked.save);
    journal->remove();
  }
  tally.tell(asked.data == "-" ? "standard input" : asked.data, model.refits(), model.stream_state(), terminal);
  for (const Alarm& alarm : alarms_of(reader->mismatches())) terminal.warn(alarm.words);
}

}  // namespace taut
