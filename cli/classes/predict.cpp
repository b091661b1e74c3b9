#include <cli/classes/doors.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_file.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index batch_of_sets = 1 << 14;  // so memory does not grow with the file

struct SetColumns {
  std::vector<std::string> names = {"prediction", "probability"};
  std::set<std::string> texts = {"prediction"};
};

SetColumns columns_of(const SetsAsked& asked) {
  SetColumns columns;
  for (const auto& level : asked.questions.levels().texts()) {
    if (asked.wide) {
      for (const auto& label : asked.model.labels()) columns.names.push_back("set_" + level + "_" + label);
    } else {
      columns.names.push_back("set_" + level);
      columns.texts.insert("set_" + level);
    }
    columns.names.push_back("size_" + level);
  }
  for (const auto& name : asked.keep)
    if (std::find(columns.names.begin(), columns.names.end(), name) != columns.names.end())
      throw UsageError("--keep: the output has a column '" + name + "' of its own; rename the one in " + asked.data);
  return columns;
}

std::vector<ResultColumn> cells_of(const PredictedSets& sets, const SetsAsked& asked) {
  const auto& labels = asked.model.labels();
  const Index rows = sets.probabilities.rows();
  std::vector<ResultColumn> columns(2);
  for (Index row = 0; row < rows; ++row) {
    const Index label = sets.prediction[static_cast<std::size_t>(row)];
    columns[0].texts.push_back(labels[static_cast<std::size_t>(label)]);
    columns[1].numbers.push_back(sets.probabilities(row, label));
  }
  for (std::size_t level = 0; level < sets.levels.size(); ++level) {
    const std::size_t first = columns.size();
    columns.resize(first + (asked.wide ? labels.size() : 1) + 1);
    for (Index row = 0; row < rows; ++row) {
      const auto set = sets.set(row, level);
      if (asked.wide)
        for (std::size_t k = 0; k < labels.size(); ++k) columns[first + k].numbers.push_back(set[k]);
      else
        columns[first].texts.push_back(joined_labels(set, labels));
      columns.back().numbers.push_back(static_cast<double>(sets.size(row, level)));
    }
  }
  return columns;
}

void add_too_few(const SetsAsked& asked, std::vector<Alarm>& alarms) {
  if (asked.smoothing) return;
  for (const double level : asked.questions.levels().values()) {
    const Index least = least_calibration_rows(level);
    if (asked.model.calibration_kind() == "plain" && asked.model.law().rows() < least)
      alarms.push_back({AlarmKind::too_few_rows,
                        counted(asked.model.law().rows(), "calibration row") + " are too few for confidence " +
                            print_number(level) + ", where sets hold every label; at least " + print_count(least) + " are needed",
                        "",
                        {},
                        {{"calibration_rows", static_cast<double>(asked.model.law().rows())}}});
  }
}

}  // namespace

std::string joined_labels(std::span<const std::uint8_t> set, const std::vector<std::string>& labels) {
  std::string text;
  bool first = true;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (set[k] == 0) continue;
    if (!first) text += '|';
    first = false;
    for (const char c : labels[k]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

void write_sets(const SetsAsked& asked, const ExecutionContext& context, Terminal& terminal) {
  if (!asked.questions.only_levels())
    throw UsageError("the model predicts labels: there are sets at levels (--confidence) to ask for, but no bounds, quantiles, "
                     "probabilities of values or draws; leave those options out");
  std::optional<DriftCheck> check;
  if (asked.check_shift) check = asked.model.begin_drift_check();
  const SetColumns columns = columns_of(asked);
  const Kept kept = is_columnar_name(asked.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(asked.data, asked.model.prediction_schema(), asked.keep, kept, asked.csv);
  OutputFile file(asked.output);
  const auto writer = make_result_writer(file, asked.output, asked.keep, columns.names, columns.texts);
  SetAskOptions how;
  if (asked.smoothing) how.smoothing = static_cast<std::uint64_t>(*asked.smoothing);
  Batch batch;
  UnseenGroups unseen;
  for (; reader->next(batch, batch_of_sets); how.first_row += batch.table.rows()) {
    const PredictedSets sets = asked.model.predict_sets(batch.table, asked.questions.levels().values(), context, how);
    writer->write(batch, cells_of(sets, asked));
    unseen.append(sets.unseen);
    if (check) asked.model.add_rows(*check, batch.table, context);
    if (context.cancelled && context.cancelled()) throw Interrupted();
  }
  writer->finish();
  file.commit();
  Mismatches own = reader->mismatches();
  const auto inputs = asked.model.input_schema();
  std::erase_if(own, [&](const ColumnMismatches& column) { return column.is_categorical && !find_column(inputs, column.column); });
  std::vector<Alarm> alarms = alarms_of(own);
  for (auto& alarm : asked.model.alarms_of_groups(unseen, reader->mismatches())) alarms.push_back(std::move(alarm));
  add_too_few(asked, alarms);
  if (check) {
    const Index calibration_rows = asked.model.law().rows();
    const auto found = alarms_of(*check, calibration_rows);
    alarms.insert(alarms.end(), found.begin(), found.end());
    if (found.empty())
      terminal.say(counted(check->rows(), "row") + " of " + asked.data + " compared with " +
                   counted(calibration_rows, "calibration row") + ": no difference of inputs beyond what chance explains");
  }
  asked.alarms.raise(alarms, terminal);
}

}  // namespace taut
