#include <cli/arguments.hpp>
#include <cli/classes/doors.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/report/report.hpp>

namespace taut {

std::vector<Alarm> report_on_sets(const Classifier& model, const std::string& data, const CsvOptions& csv,
                                  const std::string& output, const ReportOptions& options, const ExecutionContext& context,
                                  Terminal& terminal) {
  const TableView table = options.in_order && options.by.empty() ? open_table_as(model.stream_schema(), data, csv)
                                                                 : open_test_rows(model, data, csv, !options.by.empty());
  write_report(model, table, output, options, context);
  if (output != "-") terminal.say(output + ": a report on " + counted(table.rows(), "row") + " of " + data);
  auto alarms = model.evaluate(table, std::vector{options.confidence}, context).alarms;
  // That rows are not exchangeable is why they are taken in order.
  if (options.in_order) std::erase_if(alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
  return alarms;
}

}  // namespace taut
