#include <cli/classes/doors.hpp>
#include <cli/csv_arguments.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>

namespace taut {

namespace {

std::vector<Column> plain_columns(const ClassModel& model) {
  std::vector<Column> schema = columns_without_groups(model);
  if (!model.time().name.empty() && !find_column(schema, model.time().name)) schema.push_back(model.time());
  schema.push_back(model.target());
  return schema;
}

// Groups are found in this file, so all its columns are read.
TableView open_rows_to_calibrate(const ClassModel& model, const SetsToCalibrate& asked) {
  const bool is_asked = asked.how.kind().has_value();
  const bool whole = asked.how.reads_further_columns(kind_of(model)) && (is_asked || !asked.by_label);
  if (!whole) return open_table_as(!is_asked ? model.calibration_schema() : plain_columns(model), asked.data, asked.csv);
  return open_whole_sets(model, asked.data, asked.csv);
}

}  // namespace

std::vector<Column> columns_without_groups(const ClassModel& model) {
  std::vector<Column> schema = model.input_schema();
  if (const auto& prefix = model.class_options().probabilities; !prefix.empty())
    for (const auto& label : model.labels()) schema.push_back({.name = prefix + label, .is_strict = true});
  return schema;
}

std::vector<Alarm> calibrate_sets(ClassModel& model, const SetsToCalibrate& asked, const ExecutionContext& context,
                                  Terminal& terminal) {
  asked.how.check();
  const TableView table = open_rows_to_calibrate(model, asked);
  auto alarms = model.calibrate(table, context, asked.how, asked.by_label ? std::optional(true) : std::nullopt);
  context.report("writing", 1);
  model.save(asked.output);
  terminal.say(asked.output + ": calibrated on " + counted(model.law().rows(), "row") + " of " + asked.data);
  if (const Index skipped = table.rows() - model.law().rows(); skipped > 0)
    terminal.say(counted(skipped, "row") + " without a target left out");
  terminal.print(calibration_of_sets(model));
  warn_of_few_rows_for_sets(model, terminal);
  return alarms;
}

}  // namespace taut
