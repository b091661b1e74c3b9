#include <cli/classes/doors.hpp>
#include <taut/core/text.hpp>
#include <taut/report/set_report.hpp>

namespace taut {

std::vector<Alarm> report_on_sets(const ClassModel& model, const std::string& data, const CsvOptions& csv, const std::string& output,
                                  const ReportOptions& options, const ExecutionContext& context, Terminal& terminal) {
  const TableView table = open_labelled_rows(model, data, csv, !options.by.empty());
  write_report(model, table, output, options, context);
  if (output != "-") terminal.say(output + ": a report on " + counted(table.rows(), "row") + " of " + data);
  return model.evaluate(table, std::vector{options.confidence}, context).alarms;
}

}  // namespace taut
