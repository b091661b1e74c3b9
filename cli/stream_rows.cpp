#include <cli/stream_rows.hpp>

#include <cli/answer_writer.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_safety.hpp>

#include <optional>

namespace taut {

namespace {

// An exception that says what an interrupted stream has written, and how to go on.
Interrupted interrupted_stream(const RowsToStream& request) {
  const std::string answers =
      request.output == "-" ? "the answers so far are written" : format_text("no answers are written to '{}'", request.output);
  if (request.save.empty()) return Interrupted(answers);
  return Interrupted(format_text("{}; what was learnt is in '{}' and its journal: go on with taut stream {}", answers,
                                 request.save, request.save));
}

// Reads the next rows. An interrupt closes standard input, which may surface as any Error; this turns it into Interrupted.
bool next_of_stream(RowReader& reader, Batch& batch, const RowsToStream& request, const ExecutionContext& context) {
  constexpr Index rows_of_batch = 1 << 14;  // bounds the memory, whatever the size of the file
  try {
    return reader.next(batch, rows_of_batch);
  } catch (const Error&) {
    if (context.cancelled && context.cancelled()) throw interrupted_stream(request);
    throw;
  }
}

}  // namespace

void report_replayed_rows(const RowsToStream& request, Index rows, Terminal& terminal) {
  if (rows > 0)
    terminal.say(format_text("{}: {} rows of a stream that was cut off, from {}", request.model_file, rows,
                             journal_name(request.model_file)));
}

void stream_rows(Model& model, const RowsToStream& request, const ExecutionContext& context, Terminal& terminal) {
  constexpr Index min_rows_for_threads = 256;
  constexpr Index rows_of_journal = 100'000;  // then the model is saved, and a new journal starts
  const auto& levels = request.levels.values();
  CsvOptions csv = request.csv;
  csv.is_prompt = request.is_live;
  csv.optional = {model.target().name};
  const Kept kept = is_columnar_name(request.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(request.data, model.stream_schema(), request.keep, kept, csv);
  OutputFile file(request.output);
  const auto columns = model.task().stream_columns(request.levels.texts());
  const auto writer = make_answer_writer(file, request.output, request.data, request.keep, columns);
  const bool answers_at_once = request.is_live && request.output == "-";
  if (answers_at_once) writer->flush();
  std::optional<StreamJournal> journal;
  if (!request.save.empty()) {
    model.begin_stream(levels, request.options);
    model.save(request.save);
    journal.emplace(request.save);
  }

  Batch batch;
  StreamTally tally;
  while (next_of_stream(*reader, batch, request, context)) {
    ExecutionContext batch_context = context;
    if (batch.table.rows() < min_rows_for_threads) batch_context.threads = 1;
    const auto answered = model.stream(batch.table, levels, request.options, batch_context);
    if (journal) journal->add(*answered);
    if (journal && journal->rows() >= rows_of_journal) {
      model.save(request.save);
      journal.emplace(request.save);
    }
    writer->write(batch, model.task().stream_cells(*answered));
    if (answers_at_once) writer->flush();
    tally.add(*answered);
    if (context.cancelled && context.cancelled()) throw interrupted_stream(request);
  }
  writer->finish();
  file.commit();
  if (journal) {
    model.end_stream();
    model.save(request.save);
    journal->remove();
  }
  tally.print_summary(request.data == "-" ? "standard input" : request.data, model.refits(), model.stream_state(), terminal);
  for (const Alarm& alarm : alarms_of(reader->mismatches())) terminal.warn(alarm.words);
}

}  // namespace taut
