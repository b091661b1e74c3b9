#include <cli/alarms.hpp>
#include <cli/answer_writer.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <cli/trace_option.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/table_file.hpp>
#include <taut/guard/outside_rows.hpp>
#include <taut/guard/unusable_columns.hpp>
#include <taut/model/model.hpp>

namespace taut {

namespace {

class Predict final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("NEW.csv", "rows to predict, CSV, Parquet or Arrow; '-' for standard input; columns are found by name",
                         data_);
    questions_.add(arguments);
    arguments.option({"o,output", "FILE",
                      "where the intervals go, '-' for standard output; Parquet if it ends in .parquet, Arrow if in .arrow or "
                      ".feather, else CSV"},
                     output_);
    arguments.option({"contains", "FILE",
                      "several targets: whether regions contain the targets in FILE, and a p-value; FILE has a row for each of "
                      "NEW.csv, or is NEW.csv itself"},
                     contains_);
    arguments.option({"keep", "COL,...", "columns of NEW.csv to copy in front"}, keep_);
    arguments.flag_with_value(
        {"smooth", "[SEED]",
         "randomized ranks, seeded by each row's inputs: average coverage is exact instead of slightly above, for "
         "intervals if no two scores are equal, for sets always"},
        smoothing_, 0);
    arguments.flag(
        {"check-shift", "",
         "warn where the inputs differ from those of the calibration rows by more than chance explains; false alarms: at "
         "most 1 in 1,000 files"},
        check_shift_);
    arguments.flag({"wide", "", "models of labels: instead of the labels of a set a column of 0 and 1 for each label"}, wide_);
    empty_sets_.add(arguments);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    trace_.run(terminal, threads_, {model_, data_, output_}, [&] { predict(terminal); });
  }

 private:
  void predict(Terminal& terminal) {
    questions_.read();
    alarms_.check({model_, data_}, {output_});
    if (smoothing_.value_or(0) < 0) throw UsageError("--smooth: a seed is at least 0, got " + std::to_string(*smoothing_));
    if (output_ != "-") check_output(output_, {model_, data_});
    const Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    refuse_model_with_past(model);
    Asking asking = questions_.asking();
    asking.wide = wide_;
    asking.allow_empty = empty_sets_.checked(model);
    if (smoothing_) asking.smoothing = static_cast<std::uint64_t>(*smoothing_);
    asking.contains = !contains_.empty();
    const auto answers = model.answering(asking);
    std::optional<TableView> targets;  // of another file
    std::vector<Column> schema = answers->schema();
    if (asking.contains && contains_ != data_) {
      std::vector<Column> columns = model.targets();
      for (Column& column : columns) column.is_strict = true;
      targets = rows_.open_as(columns, contains_, context);
      std::erase_if(schema, [&](const Column& one) {
        return find_column(columns, one.name) && !find_column(model.prediction_schema(), one.name);
      });
    }
    Index n_rows = 0;
    for (const auto& words : answers->warnings()) terminal.warn(words);
    std::optional<DriftCheck> check;
    // Groups are identified by a column that the model itself may not use, so the file is read a second time with all columns.
    const bool reads_twice = kind_of(model) == CalibrationKind::hierarchical;
    if (check_shift_) check = begin_check(model, reads_twice);
    if (check && reads_twice) model.add_rows(*check, rows_.open_whole(model, data_, context), context);
    const CsvOptions csv = rows_.options(context);
    const auto reader = open_rows(data_, rows_.applied_to(schema, context), keep_,
                                  is_columnar_name(output_) ? Kept::as_arrays : Kept::as_texts, csv);
    OutputFile file(output_);
    const auto writer = make_answer_writer(file, output_, data_, keep_, answers->columns());
    Batch batch;
    UsableColumns usable;
    OutsideRows outside = model.begin_outside_check();
    const auto inputs = model.input_schema();
    Mismatches known_to_groups = no_mismatches(inputs);
    const auto next = [&] {
      const TracedPart traced("read");
      return reader->next(batch, answers->batch_rows());
    };
    while (next()) {
      auto cells = answers->answer(targets ? with_targets(batch.table, *targets, n_rows) : TableView(batch.table), context);
      n_rows += batch.table.rows();
      const TracedPart traced("write");
      writer->write(batch, std::move(cells));
      count_values_of_groups(batch.table, inputs, known_to_groups);
      model.add_rows(usable, batch.table);
      model.add_rows(outside, batch.table);
      if (check && !reads_twice) model.add_rows(*check, batch.table, context);
      if (context.cancelled && context.cancelled()) throw Interrupted();
    }
    if (targets && n_rows != targets->rows())
      throw Error(format_text("--contains: {} has {} and {} has {}: the rows must be the same, in the same order", contains_,
                              counted(targets->rows(), "row"), data_, counted(n_rows, "row")));
    writer->finish();
    file.commit();
    for (const auto& words : answers->remarks()) terminal.say(words);
    std::vector<Alarm> alarms = model.alarms_of_columns(usable, mismatches_of_inputs(reader->mismatches(), known_to_groups));
    for (const auto& raised :
         {outside.alarms(), model.alarms_of_groups(answers->unseen(), reader->mismatches()), answers->alarms()})
      alarms.insert(alarms.end(), raised.begin(), raised.end());
    if (check) add_shift_alarms(*check, alarms, terminal);
    alarms_.raise(alarms, terminal);
  }

  // The rows with the targets of the same rows in another file.
  TableView with_targets(TableView rows, const TableView& targets, Index first) const {
    if (first + rows.rows() > targets.rows())
      throw Error(format_text("--contains: {} has {}, and {} has more: the rows must be the same, in the same order", contains_,
                              counted(targets.rows(), "row"), data_));
    for (Index column = 0; column < std::ssize(targets.columns()); ++column) {
      std::vector<double> cells;
      for (Index row = 0; row < rows.rows(); ++row) cells.push_back(targets(first + row, column));
      rows.add(targets.columns()[static_cast<std::size_t>(column)], std::move(cells));
    }
    return rows;
  }

  DriftCheck begin_check(const Model& model, bool reads_twice) const {
    if (reads_twice) refuse_standard_input(data_);
    try {
      return model.begin_drift_check();
    } catch (const Error& error) {
      throw Error(format_text("--check-shift: {}: {}", model_, error.what()));
    }
  }

  void add_shift_alarms(const DriftCheck& check, std::vector<Alarm>& alarms, Terminal& terminal) const {
    const auto found = alarms_of(check);
    alarms.insert(alarms.end(), found.begin(), found.end());
    if (found.empty())
      terminal.say(format_text("{} of {} compared with {}: no difference of inputs beyond what chance explains",
                               check.describe_rows(), data_, check.describe_reference()));
  }

  std::string model_, data_, output_ = "-", contains_;
  QuestionOptions questions_;
  std::vector<std::string> keep_;
  std::optional<Index> smoothing_;
  bool check_shift_ = false, wide_ = false;
  EmptySetOption empty_sets_;
  AlarmOptions alarms_;
  int threads_ = 0;
  TraceOption trace_;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> predict_command() {
  return listed_command<Predict>("predict", "writes predictions and intervals for new rows",
                                 "taut predict houses.taut new.csv --confidence 0.8,0.9,0.99 -o intervals.csv");
}

}  // namespace taut
