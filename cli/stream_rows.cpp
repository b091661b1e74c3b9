#include <cli/stream_rows.hpp>

#include <cli/answer_writer.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/guard/unusable_columns.hpp>
#include <taut/model/stream_options.hpp>
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

// The Error of a line that cannot be read, with what happened to the rows before it.
Error failed_stream(const RowsToStream& request, const std::string& words, Index rows) {
  const std::string answers = request.output == "-" ? "are answered" : format_text("have no answers in '{}'", request.output);
  const std::string state =
      request.save.empty()
          ? "what was learnt from them is not kept"
          : format_text("the model after them is in '{}': go on with taut stream {} and the lines after that one", request.save,
                        request.save);
  return Error(format_text("{}; {} before it {}, and {}{}", words, counted(rows, "row"), answers, state,
                           request.csv.skips_bad_lines ? "" : "; --skip-bad-lines skips such lines"));
}

void warn_of_bad_lines(const BadLines& bad, Terminal& terminal) {
  if (bad.lines == 0) return;
  const bool is_more = bad.lines > std::ssize(bad.words);
  terminal.warn(format_text("{} skipped: {}{}", counted(bad.lines, "bad line"), join(bad.words, "; "), is_more ? "; ..." : ""));
}

}  // namespace

void report_replayed_rows(const RowsToStream& request, Index rows, Terminal& terminal) {
  if (rows > 0)
    terminal.say(format_text("{}: {} rows of a stream that was cut off, from {}", request.model_file, rows,
                             journal_name(request.model_file)));
}

std::vector<Alarm> stream_rows(Model& model, const RowsToStream& request, const ExecutionContext& context, Terminal& terminal) {
  constexpr Index min_rows_for_threads = 256;
  constexpr Index rows_of_journal = 100'000;  // then the model is saved, and a new journal starts
  const auto& levels = request.levels.values();
  CsvOptions csv = request.csv;
  csv.is_prompt = request.is_live;
  for (const Column& target : model.targets()) csv.optional.push_back(target.name);
  const Kept kept = is_columnar_name(request.output) ? Kept::as_arrays : Kept::as_texts;
  csv.returns_rows_before_failure = true;
  const auto reader = open_rows(request.data, request.schema, request.keep, kept, csv);  // a wrong name is found before training
  if (request.history != nullptr) take_history(model, *request.history, request.options, context);
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
  UsableColumns usable;
  const auto save = [&] {
    if (!journal) return;
    model.end_stream();
    model.save(request.save);
    journal->remove();
  };
  const auto next = [&] {
    try {
      return next_of_stream(*reader, batch, request, context);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (request.output == "-") {
        writer->finish();
        file.commit();
      }
      save();
      warn_of_bad_lines(reader->bad_lines(), terminal);
      throw failed_stream(request, error.what(), tally.rows());
    }
  };
  while (next()) {
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
    usable.add(inputs_of_stream(model, batch.table));
    if (context.cancelled && context.cancelled()) throw interrupted_stream(request);
  }
  writer->finish();
  file.commit();
  save();
  tally.print_summary(request.data == "-" ? "standard input" : request.data, model.refits(), model.stream_state(), terminal);
  warn_of_bad_lines(reader->bad_lines(), terminal);
  return model.alarms_of_columns(usable, reader->mismatches());
}

}  // namespace taut
