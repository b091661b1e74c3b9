#include <cli/alarms.hpp>
#include <cli/classes/doors.hpp>
#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <cli/trace_option.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/empty_columns.hpp>
#include <taut/model/model.hpp>
#include <taut/model/prediction_outside.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index batch_rows = 1 << 14;  // so memory does not grow with the file

// Predictions outside of their own intervals, for each level that was asked for.
class OutsideCounts {
 public:
  explicit OutsideCounts(const QuestionOptions& asked) {
    Index column = 0;
    for (const auto& question : asked.questions()) {
      if (const auto level = question->interval_level()) levels_.push_back({*level, column});
      column += std::ssize(question->columns({.band = asked.band()}));
    }
  }
  void add(const Answers& answers, const TargetRange& range) {
    for (OfLevel& level : levels_)
      for (Index row = 0; row < answers.values.rows(); ++row) {
        const Interval interval{answers.values(row, level.column), answers.values(row, level.column + 1)};
        level.rows += lies_outside(answers.prediction[static_cast<std::size_t>(row)], interval, range) ? 1 : 0;
      }
  }
  void tell(Index rows, Terminal& terminal) const {
    for (const OfLevel& level : levels_)
      if (level.rows > 0) terminal.say(outside_in_words(level.rows, rows, level.confidence));
  }

 private:
  struct OfLevel {
    double confidence;
    Index column;  // of the lower end
    Index rows = 0;
  };
  std::vector<OfLevel> levels_;
};

class Predict final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("NEW.csv", "rows to predict, CSV, Parquet or Arrow; '-' for standard input; columns are found by name",
                         data_);
    asked_.add(arguments);
    arguments.option({"o,output", "FILE",
                      "where the intervals go, '-' for standard output; Parquet if it ends in .parquet, Arrow if in .arrow or "
                      ".feather, else CSV"},
                     output_);
    arguments.option({"keep", "COL,...", "columns of NEW.csv to copy in front"}, keep_);
    arguments.flag_with_value(
        {"smooth", "[SEED]",
         "random ranks, keyed to each row's inputs: coverage is exact on average instead of slightly above; "
         "of intervals where no two scores are equal, of sets of labels always"},
        smoothing_, 0);
    arguments.flag(
        {"check-shift", "",
         "warn where the inputs differ from those of the calibration rows by more than chance explains; false alarms: at "
         "most 1 in 1,000 files"},
        check_shift_);
    arguments.flag({"wide", "", "models of labels: instead of the labels of a set a column of 0 and 1 for each label"}, wide_);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    trace_.run(terminal, threads_, {model_, data_, output_}, [&] { predict(terminal); });
  }

 private:
  void predict(Terminal& terminal) {
    asked_.read();
    alarms_.check({model_, data_}, output_);
    if (smoothing_.value_or(0) < 0) throw UsageError("--smooth: a seed is at least 0, got " + std::to_string(*smoothing_));
    if (output_ != "-") check_output(output_, {model_, data_});
    const AnyModel any = load_any_model(model_);
    const ExecutionContext context = terminal.context(threads_);
    if (const auto* sets = std::get_if<ClassModel>(&any))
      return write_sets({*sets, data_, output_, asked_, keep_, smoothing_, check_shift_, wide_, alarms_, csv_.options(context)},
                        context, terminal);
    if (wide_) throw UsageError("--wide is about models of labels, and " + model_ + " predicts numbers; leave it out");
    const Model& model = std::get<Model>(any);
    refuse_past(model);
    warn_of_ranks(model, terminal);
    std::optional<DriftCheck> check;
    if (check_shift_) check = begin_check(model);
    if (check && counts_groups(model)) model.add_rows(*check, open_whole_table(model, data_, csv_.options(context)), context);
    const Kept kept = is_columnar_name(output_) ? Kept::as_arrays : Kept::as_texts;
    const auto reader = open_rows(data_, schema_of(model), keep_, kept, csv_.options(context));
    OutputFile file(output_);
    const auto writer = make_result_writer(file, output_, keep_, names_of_numbers());
    Batch batch;
    Index first = 0, crossed = 0, infinite = 0;
    UnseenGroups unseen;
    EmptyColumns empty;
    OutsideCounts outside(asked_);
    const auto inputs = model.input_schema();
    Mismatches known_to_groups = no_mismatches(inputs);
    const auto next = [&] {
      const TracedPart traced("read");
      return reader->next(batch, batch_rows);
    };
    for (; next(); first += batch.table.rows()) {
      crossed += count_crossed(batch.table, model.options());
      const Answers answered = answers(model, batch.table, context, first);
      const TracedPart traced("write");
      writer->write(batch, answered.prediction, answered.values);
      unseen.append(answered.unseen);
      outside.add(answered, model.target_range());
      count_values_of_groups(batch.table, inputs, known_to_groups);
      infinite += (answered.values.array().abs() == infinity).rowwise().any().count();
      model.add_rows(empty, batch.table);
      if (check && !counts_groups(model)) model.add_rows(*check, batch.table, context);
      if (context.cancelled()) throw Interrupted();
    }
    writer->finish();
    file.commit();
    outside.tell(first, terminal);
    std::vector<Alarm> alarms = alarms_of(mismatches_of_inputs(reader->mismatches(), known_to_groups));
    for (auto& alarm : model.alarms_of_empty(empty, reader->mismatches())) alarms.push_back(std::move(alarm));
    for (auto& alarm : alarms_of_crossed(crossed, first, model.options())) alarms.push_back(std::move(alarm));
    for (auto& alarm : model.alarms_of_groups(unseen, reader->mismatches())) alarms.push_back(std::move(alarm));
    if (kind_of(model) == CalibrationKind::plain || kind_of(model) == CalibrationKind::held_out)
      add_too_few(model.calibration_rows(), model.law().sure(), alarms);
    else
      add_infinite(infinite, first, alarms);
    if (check) judge(*check, alarms, terminal);
    alarms_.raise(alarms, terminal);
  }

  DriftCheck begin_check(const Model& model) const {
    if (counts_groups(model)) refuse_standard_input(data_);
    try {
      return model.begin_drift_check();
    } catch (const Error& error) {
      throw Error("--check-shift: " + model_ + ": " + error.what());
    }
  }

  // Groups are told by texts that the model need not know, so the file is read as it stands, once more.
  static bool counts_groups(const Model& model) { return kind_of(model) == CalibrationKind::hierarchical; }

  void judge(const DriftCheck& check, std::vector<Alarm>& alarms, Terminal& terminal) const {
    const auto found = alarms_of(check);
    alarms.insert(alarms.end(), found.begin(), found.end());
    if (found.empty())
      terminal.say(check.rows_in_words() + " of " + data_ + " compared with " + check.reference_in_words() +
                   ": no difference of inputs beyond what chance explains");
  }

  // Where rows have laws of their own.
  static void add_infinite(Index infinite, Index rows, std::vector<Alarm>& alarms) {
    if (infinite == 0) return;
    alarms.push_back({AlarmKind::too_few_rows,
                      print_count(infinite) + " of " + counted(rows, "row") + (infinite == 1 ? " has" : " have") +
                          " an infinite answer: too few calibration rows count for them at these levels",
                      "",
                      {},
                      {{"rows", static_cast<double>(infinite)}}});
  }

  void warn_of_ranks(const Model& model, Terminal& terminal) const {
    const auto& questions = asked_.questions();
    const bool asks = std::any_of(questions.begin(), questions.end(), [](const auto& one) { return one->asks_fixed_values(); });
    if (asks && model.kept_rows() == 0 && model.law().rows() > 0)
      terminal.warn(
          "the model keeps no calibration rows to calibrate probabilities at fixed values with, so --below and --samples go by "
          "ranks alone: where many targets are equal or spread differently for different rows they may be far off; 'taut "
          "calibrate' with fresh rows keeps some");
  }

  // Of --p-value: mostly the target, written as it was for the fit.
  Column value_column(const Model& model) const {
    return asked_.value_column() == model.target().name ? model.target() : Column{asked_.value_column()};
  }

  std::vector<Column> schema_of(const Model& model) const {
    std::vector<Column> schema = model.prediction_schema();
    if (!asked_.value_column().empty() && !find_column(schema, asked_.value_column())) {
      schema.push_back(value_column(model));
      schema.back().is_strict = true;
    }
    return schema;
  }

  void add_too_few(Index calibration_rows, double sure, std::vector<Alarm>& alarms) const {
    for (auto& words : asked_.too_few(calibration_rows, sure, smoothing_.has_value()))
      alarms.push_back(
          {AlarmKind::too_few_rows, std::move(words), "", {}, {{"calibration_rows", static_cast<double>(calibration_rows)}}});
  }

  Answers answers(const Model& model, const Table& table, const ExecutionContext& context, Index first) const {
    AskOptions options{.seed = asked_.seed(), .band = asked_.band(), .first_row = first};
    if (smoothing_) options.smoothing = static_cast<std::uint64_t>(*smoothing_);
    std::vector<double> values;
    if (!asked_.value_column().empty()) values = numbers_of(table, value_column(model), all_rows(table.rows()), "value");
    options.values = values;
    return model.ask(table, asked_.questions(), options, context);
  }

  // The columns that the output has besides those that are kept.
  std::vector<std::string> names_of_numbers() const {
    std::vector<std::string> names = {"prediction"};
    for (const auto& question : asked_.questions())
      for (const auto& name : question->columns({.band = asked_.band()})) {
        if (std::find(names.begin(), names.end(), name) != names.end())
          throw UsageError("the output would have the column '" + name + "' twice; ask for it once");
        names.push_back(name);
      }
    for (const auto& name : keep_)
      if (std::find(names.begin(), names.end(), name) != names.end())
        throw UsageError("--keep: the output has a column '" + name + "' of its own; rename the one in " + data_);
    return names;
  }

  std::string model_, data_, output_ = "-";
  QuestionOptions asked_;
  std::vector<std::string> keep_;
  std::optional<Index> smoothing_;
  bool check_shift_ = false, wide_ = false;
  AlarmOptions alarms_;
  int threads_ = 0;
  TraceOption trace_;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> predict_command() {
  return listed_command<Predict>("predict", "writes predictions and intervals for new rows",
                                 "taut predict houses.taut new.csv --confidence 0.8,0.9,0.99 -o intervals.csv");
}

}  // namespace taut
