#include <cli/classes/doors.hpp>
#include <cli/classes/set_columns.hpp>
#include <cli/stream_options.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_journal.hpp>

namespace taut {

void stream_sets(ClassModel& model, const SetsToStream& asked, const ExecutionContext& context, Terminal& terminal) {
  const auto& levels = asked.levels.values();
  if (const auto again = journal_rows(asked.model_file, 0); !again.empty()) {
    model.replay(again);
    terminal.say(asked.model_file + ": " + std::to_string(again.size()) + " rows of a stream that was cut off, from " +
                 journal_name(asked.model_file));
  }
  CsvOptions csv = asked.csv;
  csv.is_prompt = asked.is_live;
  csv.optional = {model.target().name};
  const Kept kept = is_columnar_name(asked.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(asked.data, model.stream_schema(), asked.keep, kept, csv);
  const SetColumns columns = set_columns(asked.levels.texts(), model.labels(), asked.keep, asked.data, false);
  OutputFile file(asked.output);
  const auto writer = make_result_writer(file, asked.output, asked.keep, columns.names, columns.texts);
  const bool answers_at_once = asked.is_live && asked.output == "-";
  if (answers_at_once) writer->flush();
  std::optional<StreamJournal> journal;
  if (!asked.save.empty()) {
    model.begin_stream(levels, asked.options);
    model.save(asked.save);
    journal.emplace(asked.save);
  }
  constexpr Index most_rows = 1 << 14, rows_worth_threads = 256;
  Batch batch;
  StreamTally tally;
  while (next_of_stream(*reader, batch, most_rows, context, {asked.output, asked.save})) {
    ExecutionContext own = context;
    if (batch.table.rows() < rows_worth_threads) own.threads = 1;
    const StreamedSets answered = model.stream(batch.table, levels, asked.options, own);
    if (journal) journal->add(answered);
    writer->write(batch, set_cells(answered.sets, model.labels(), false));
    if (answers_at_once) writer->flush();
    tally.add(answered);
    if (context.cancelled && context.cancelled()) throw interrupted_stream({asked.output, asked.save});
  }
  writer->finish();
  file.commit();
  if (journal) {
    model.end_stream();
    model.save(asked.save);
    journal->remove();
  }
  tally.tell(asked.data == "-" ? "standard input" : asked.data, 0, model.stream_state(), terminal);
  for (const Alarm& alarm : alarms_of(reader->mismatches())) terminal.warn(alarm.words);
}

void update_sets(ClassModel& model, const SetsToStream& asked, const ExecutionContext& context, Terminal& terminal) {
  const TableView table = open_table_as(model.stream_schema(), asked.data, asked.csv);
  StreamTally tally;
  tally.add(model.update(table, asked.options, context, asked.levels.given() ? asked.levels.values() : std::vector<double>()));
  context.report("writing", 1);
  model.save(asked.save);
  tally.tell(asked.save + ": updated by " + asked.data, 0, model.stream_state(), terminal);
}

}  // namespace taut
