#include <cli/classes/doors.hpp>
#include <cli/classes/set_columns.hpp>

namespace taut {

void stream_sets(Classifier& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal) {
  const auto again = journal_rows(asked.model_file, 0);
  if (!again.empty()) model.replay(again);
  say_what_was_replayed(asked, std::ssize(again), terminal);
  const SetColumns columns = set_columns(asked.levels.texts(), model.labels(), asked.keep, asked.data, false);
  const auto write = [&model](ResultWriter& writer, const Batch& batch, const StreamedSets& answered) {
    writer.write(batch, set_cells(answered.sets, model.labels(), false));
  };
  stream_rows(model, asked, columns.names, columns.texts, write, context, terminal);
}

void update_sets(Classifier& model, const RowsToStream& asked, const ExecutionContext& context, Terminal& terminal) {
  const TableView table = open_table_as(model.stream_schema(), asked.data, asked.csv);
  StreamTally tally;
  tally.add(model.update(table, asked.options, context, asked.levels.given() ? asked.levels.values() : std::vector<double>()));
  context.report("writing", 1);
  model.save(asked.save);
  tally.tell(asked.save + ": updated by " + asked.data, 0, model.stream_state(), terminal);
}

}  // namespace taut
