#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <cli/trace_option.hpp>
#include <taut/core/format.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/table_file.hpp>
#include <taut/fit/time_budget.hpp>
#include <taut/foreign/read.hpp>
#include <taut/model/file.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <filesystem>

namespace taut {

namespace {

// "folder/houses.csv.gz" -> "houses.taut". A model file of that name is replaced; anything else is not, because the user has not
// named it.
std::string default_output(const std::string& data) {
  std::filesystem::path name = std::filesystem::path(data).filename();
  if (name.extension() == ".gz") name.replace_extension();
  const std::string output = name.replace_extension(".taut").string();
  std::error_code ignored;
  if (std::filesystem::exists(output, ignored) && !is_model_file(output))
    throw UsageError(format_text("'{}', where the model would go, exists and is no model file; name a file by -o FILE", output));
  return output;
}

std::vector<Arguments::Group> option_groups() {
  return {
      {"Columns and cells",
       {"drop", "ignore", "categorical", "numeric", "date", "ordered", "na", "decimal", "delimiter", "skip-missing-target"}},
      {"The target", {"task", "region", "y-min", "y-max", "y-step", "y-range"}},
      {"The guarantee", {"split", "calibrate-with", "by", "other-groups", "keep-together", "sure", "score", "by-label", "focus"}},
      {"Rows that count more than others", {"sample-weight", "calibrate-by-weight", "exposure"}},
      {"A model of your own", {"model", "prediction", "lower-prediction", "upper-prediction", "probabilities"}},
      {"Rows in the order of time", {"in-order", "order-by", "gap", "delay", "lags", "rolling", "past-of"}},
      {"Time, memory and output",
       {"time", "effort", "repeats", "max-rows", "seed", "threads", "verbose", "quiet", "strict", "alarms", "trace"}},
      {"The method, rarely needed",
       {"predictor", "target-scale", "localizer", "transform", "objective", "sides", "see-prediction", "knn-rows", "hidden",
        "rate", "batch", "epochs", "patience", "depth", "min-weight"}}};
}

class Fit final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows to learn from, CSV, Parquet or Arrow; '-' for standard input; .gz is unpacked", data_);
    arguments.option({"o,output", "FILE", "where the model goes; by default houses.csv gives houses.taut in the current folder"},
                     output_);
    arguments.need(
        [this] { return data_ == "-" && output_.empty() ? std::vector<std::string>{"-o FILE"} : std::vector<std::string>{}; });
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
    arguments.flag({"verbose", "", "also print every part of the model and every column, as 'taut info' does later"}, verbose_);
    arguments.flag({"quiet", "", "print warnings only"}, quiet_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    csv_.add(arguments);
    arguments.show_in_groups(option_groups());
  }

  void run(Terminal& terminal) override {
    if (verbose_ && quiet_) throw UsageError("--verbose and --quiet exclude each other; leave one of them out");
    if (output_.empty()) output_ = default_output(data_);
    trace_.run(terminal, threads_, {data_, output_, calibration_, foreign_}, [&] { fit(terminal); });
  }

 private:
  void fit(Terminal& terminal) {
    options_.drop.insert(options_.drop.end(), ignored_.begin(), ignored_.end());
    options_.check();
    const TimeBudget budget(options_);
    options_.check_columns();
    if (options_.has_given_predictions() && options_.predictor != FitOptions{}.predictor)
      throw UsageError("--predictor and given predictions exclude each other: both define f; leave one of them out");
    TaskChoice choice = task_.choice();
    check_output(output_, {data_, calibration_, foreign_});
    alarms_.check({data_, calibration_, foreign_}, {output_});
    std::optional<ForeignModel> foreign;
    if (!foreign_.empty() && ((choice.name != "auto" && choice.name != NumberTask::listed_name) || choice.options.size() > 1))
      throw UsageError(
          "--model reads models that predict numbers, and labels are asked for; write the probabilities of your own "
          "classifier as columns and give --probabilities PREFIX");
    if (!foreign_.empty()) foreign = read_foreign_file(foreign_);
    ExecutionContext context = terminal.context(threads_);
    if (verbose_) context.details = context.say;
    if (quiet_) context.say = {};
    CsvOptions csv = csv_.options(context);
    set_csv_options(options_, csv);
    const TableView table = open_table(data_, csv, &options_.drop);

    std::optional<TableView> calibration;
    if (!calibration_.empty()) {
      // The training rows decide which columns are categories; the calibration file keeps the text of these.
      for (const Column& column : input_columns(table, options_)) {
        csv.required.push_back(column.name);
        if (column.is_categorical()) csv.categories.push_back(column.name);
      }
      calibration = open_table(calibration_, csv);
    }
    if (foreign) choice.name = NumberTask::listed_name;
    options_ = budget.rest_of(options_);  // reading took some of it
    const Model model = Model::fit(table, options_, choice, context, calibration, foreign ? &*foreign : nullptr);
    context.report("writing", 1);
    {
      const Traced traced("write");
      model.save(output_);
    }
    summarise_fit(model, data_, output_, verbose_ ? Detail::verbose : quiet_ ? Detail::quiet : Detail::usual, terminal);
    alarms_.raise(model.alarms_of_fit(), terminal);
  }

  std::string data_, output_, calibration_, foreign_;
  FitOptions options_;
  TaskArguments task_;
  std::vector<std::string> ignored_;
  AlarmOptions alarms_;
  bool verbose_ = false, quiet_ = false;
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
