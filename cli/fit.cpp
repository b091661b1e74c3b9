#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <cli/trace_option.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/table_file.hpp>
#include <taut/foreign/read.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

namespace {

class Fit final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows to learn from, CSV, Parquet or Arrow; '-' for standard input; .gz is unpacked", data_);
    arguments.option({"o,output", "FILE", "where the model goes"}, output_, Needed::yes);
    arguments.option({"model", "FILE",
                      "a model of XGBoost (.json, .ubj), LightGBM (.txt) or CatBoost (.json) that has not seen these rows: its "
                      "trees become f, and part of the model"},
                     foreign_);
    for_each_option(options_, [&arguments](const OptionText& text, auto& value) {
      arguments.option(text, value, text.name == "target" ? Needed::yes : Needed::no);
    });
    task_.add(arguments);
    arguments.option({"ignore", "COL,...", "the same as --drop"}, ignored_);
    arguments.option({"calibrate-with", "FILE", "calibration rows from this file instead of a share of DATA.csv"}, calibration_);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    trace_.run(terminal, threads_, {data_, output_, calibration_, foreign_}, [&] { fit(terminal); });
  }

 private:
  void fit(Terminal& terminal) {
    options_.drop.insert(options_.drop.end(), ignored_.begin(), ignored_.end());
    options_.check();
    options_.check_columns();
    if (options_.has_given_predictions() && options_.predictor != FitOptions{}.predictor)
      throw UsageError("--predictor and given predictions exclude each other: both define f; leave one of them out");
    TaskChoice choice = task_.choice();
    check_output(output_, {data_, calibration_, foreign_});
    alarms_.check({data_, calibration_, foreign_}, output_);
    std::optional<ForeignModel> foreign;
    if (!foreign_.empty() && ((choice.name != "auto" && choice.name != NumberTask::listed_name) || choice.options.size() > 1))
      throw UsageError(
          "--model reads models that predict numbers, and labels are asked for; write the probabilities of your own "
          "classifier as columns and give --probabilities PREFIX");
    if (!foreign_.empty()) foreign = read_foreign_file(foreign_);
    const ExecutionContext context = terminal.context(threads_);
    CsvOptions csv = csv_.options(context);
    set_csv_options(options_, csv);
    const TableView table = open_table(data_, csv, &options_.drop);

    std::optional<TableView> calibration;
    if (!calibration_.empty()) {
      // The training rows decide which columns are categories; the calibration file keeps the text of these.
      for (const Column& column : input_columns(table, options_))
        if (column.is_categorical()) csv.categories.push_back(column.name);
      calibration = open_table(calibration_, csv);
    }
    if (foreign) choice.name = NumberTask::listed_name;
    const Model model = Model::fit(table, options_, choice, context, calibration, foreign ? &*foreign : nullptr);
    context.report("writing", 1);
    {
      const Traced traced("write");
      model.save(output_);
    }
    summarise_fit(model, output_, terminal);
    alarms_.raise(model.alarms_of_fit(), terminal);
  }

  std::string data_, output_, calibration_, foreign_;
  FitOptions options_;
  TaskArguments task_;
  std::vector<std::string> ignored_;
  AlarmOptions alarms_;
  int threads_ = 0;
  TraceOption trace_;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> fit_command() {
  return listed_command<Fit>("fit", "learns prediction intervals, or prediction sets, from a CSV file and writes a model file",
                             "taut fit houses.csv --target price --drop id,date -o houses.taut");
}

}  // namespace taut
