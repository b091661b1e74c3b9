#include <cli/classes/doors.hpp>
#include <cli/classes/set_columns.hpp>
#include <cli/csv_arguments.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/empty_columns.hpp>

namespace taut {

namespace {

constexpr Index batch_of_sets = 1 << 16;  // so memory does not grow with the file; trees are made ready for each

void add_too_few(const SetsAsked& asked, std::vector<Alarm>& alarms) {
  if (asked.smoothing) return;
  for (const double level : asked.questions.levels().values()) {
    const Index least = least_calibration_rows(level, asked.model.law().sure());
    if (kind_of(asked.model) == CalibrationKind::plain && asked.model.law().rows() < least)
      alarms.push_back({AlarmKind::too_few_rows,
                        counted(asked.model.law().rows(), "calibration row") + " are too few for confidence " +
                            print_number(level) + ", where sets hold every label; at least " + print_count(least) + " are needed",
                        "",
                        {},
                        {{"calibration_rows", static_cast<double>(asked.model.law().rows())}}});
  }
}

}  // namespace

void write_sets(const SetsAsked& asked, const ExecutionContext& context, Terminal& terminal) {
  if (!asked.questions.only_levels())
    throw UsageError(
        "the model predicts labels: there are sets at levels (--confidence) to ask for, but no bounds, quantiles, "
        "probabilities of values or draws; leave those options out");
  std::optional<DriftCheck> check;
  const bool counts_groups = kind_of(asked.model) == CalibrationKind::hierarchical;
  if (asked.check_shift && counts_groups) refuse_standard_input(asked.data);
  if (asked.check_shift) check = asked.model.begin_drift_check();
  // Groups are told by texts that the model need not know, so the file is read as it stands, once more.
  if (check && counts_groups) asked.model.add_rows(*check, open_whole_sets(asked.model, asked.data, asked.csv), context);
  const SetColumns columns =
      set_columns(asked.questions.levels().texts(), asked.model.labels(), asked.keep, asked.data, asked.wide);
  const Kept kept = is_columnar_name(asked.output) ? Kept::as_arrays : Kept::as_texts;
  const auto reader = open_rows(asked.data, asked.model.prediction_schema(), asked.keep, kept, asked.csv);
  OutputFile file(asked.output);
  const auto writer = make_result_writer(file, asked.output, asked.keep, columns.names, columns.texts);
  SetAskOptions how;
  if (asked.smoothing) how.smoothing = static_cast<std::uint64_t>(*asked.smoothing);
  Batch batch;
  UnseenGroups unseen;
  EmptyColumns empty;
  const auto inputs = asked.model.input_schema();
  Mismatches known_to_groups = no_mismatches(inputs);
  for (; reader->next(batch, batch_of_sets); how.first_row += batch.table.rows()) {
    const PredictedSets sets = asked.model.predict_sets(batch.table, asked.questions.levels().values(), context, how);
    writer->write(batch, set_cells(sets, asked.model.labels(), asked.wide));
    unseen.append(sets.unseen);
    asked.model.add_rows(empty, batch.table);
    count_values_of_groups(batch.table, inputs, known_to_groups);
    if (check && !counts_groups) asked.model.add_rows(*check, batch.table, context);
    if (context.cancelled && context.cancelled()) throw Interrupted();
  }
  writer->finish();
  file.commit();
  const Mismatches own = mismatches_of_inputs(reader->mismatches(), known_to_groups);
  std::vector<Alarm> alarms = alarms_of(own);
  for (auto& alarm : asked.model.alarms_of_empty(empty, own)) alarms.push_back(std::move(alarm));
  for (auto& alarm : asked.model.alarms_of_groups(unseen, reader->mismatches())) alarms.push_back(std::move(alarm));
  add_too_few(asked, alarms);
  if (check) {
    const auto found = alarms_of(*check);
    alarms.insert(alarms.end(), found.begin(), found.end());
    if (found.empty())
      terminal.say(check->rows_in_words() + " of " + asked.data + " compared with " + check->reference_in_words() +
                   ": no difference of inputs beyond what chance explains");
  }
  asked.alarms.raise(alarms, terminal);
}

}  // namespace taut
