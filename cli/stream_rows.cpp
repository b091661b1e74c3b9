#include <cli/stream_rows.hpp>

namespace taut {

bool next_of_stream(RowReader& reader, Batch& batch, const RowsToStream& asked, const ExecutionContext& context) {
  constexpr Index rows_of_batch = 1 << 14;  // so memory does not grow with the file
  try {
    return reader.next(batch, rows_of_batch);
  } catch (const Error&) {
    if (context.cancelled && context.cancelled()) throw interrupted_stream(asked);
    throw;
  }
}

Interrupted interrupted_stream(const RowsToStream& asked) {
  const std::string answers =
      asked.output == "-" ? "the answers so far are written" : "no answers are written to '" + asked.output + "'";
  if (asked.save.empty()) return Interrupted(answers);
  return Interrupted(answers + "; what was learnt is in '" + asked.save + "' and its journal: go on with taut stream " +
                     asked.save);
}

void say_what_was_replayed(const RowsToStream& asked, Index rows, Terminal& terminal) {
  if (rows > 0)
    terminal.say(asked.model_file + ": " + std::to_string(rows) + " rows of a stream that was cut off, from " +
                 journal_name(asked.model_file));
}

}  // namespace taut
