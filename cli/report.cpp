#include <taut/report/report.hpp>

#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/explain/learning_curve.hpp>

namespace taut {

namespace {

class Report final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", options_.model_file);
    arguments.positional("TEST.csv", "rows with their targets that the model has not seen, '-' for standard input", data_);
    arguments.option({"o,output", "FILE", "where the page goes, '-' for standard output"}, output_);
    arguments.option({"confidence", "LEVEL", "initial level of the page's slider, between 0 and 1"}, options_.confidence);
    arguments.option({"by", "COL,...",
                      "a chart of the coverage of each group of rows: values of a column, parts of a number (age:5), "
                      "prediction:5, scale:5"},
                     options_.by);
    arguments.option({"learning-curve", "FILE",
                      "a chart of the gain from more rows, by fits on growing parts of this table, as 'taut plan' makes them; "
                      "for example the rows that trained the model"},
                     learn_from_);
    arguments.option({"unit", "TEXT", "unit of the target, for text and axes: EUR, minutes"}, options_.unit);
    arguments.option({"title", "TEXT", "title of the page; if not given, one that names the target"}, options_.title);
    arguments.flag({"in-order", "",
                    "also charts over time of a stream that predicts each row and then learns from it: coverage, width or "
                    "size, intervals"},
                   options_.in_order);
    empty_sets_.add(arguments);
    stream_.add(arguments);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    add_skip_missing_target(arguments, skips_missing_target_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    require_page();
    check_output(output_, {options_.model_file, data_, learn_from_});
    alarms_.check({options_.model_file, data_}, {output_});
    options_.stream = stream_.read();
    if (stream_.given() && !options_.in_order) throw UsageError(StreamArguments::names() + " go with --in-order");
    Model model = Model::load(options_.model_file);
    options_.allow_empty = options_.stream.allow_empty = empty_sets_.checked(model);
    const ExecutionContext context = terminal.context(threads_);
    if (!options_.in_order) refuse_model_with_past(model);
    if (!learn_from_.empty() && !model.task().region_words().are_intervals)
      throw UsageError(format_text("--learning-curve needs a model that predicts one number, which {} does not; leave it out",
                                   options_.model_file));
    if (skips_missing_target_) model.set_skip_missing_target(true);
    const TableView test = options_.in_order && options_.by.empty()
                               ? rows_.open_as(model.stream_schema(), data_, context)
                               : rows_.open_test_rows(model, data_, context, !options_.by.empty());
    GroupColumns::check(options_.by, "--by", test, model.input_schema());  // before a learning curve is trained
    if (!learn_from_.empty()) options_.learning_curve = learn(model, context);
    write_report(model, test, output_, options_, context);
    if (output_ != "-") terminal.say(format_text("{}: a report on {} of {}", output_, counted(test.rows(), "row"), data_));
    auto alarms = model.evaluate(test, std::vector{options_.confidence}, context)->alarms;
    // --in-order is for rows that are not exchangeable, so a coverage alarm would say nothing new.
    if (options_.in_order) std::erase_if(alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
    alarms_.raise(alarms, terminal);
  }

 private:
  // Uses the model's options with --effort quick, so that it takes seconds.
  std::shared_ptr<const LearningCurve> learn(const Model& model, const ExecutionContext& context) const {
    FitOptions fit = model.options();
    fit.effort = "quick";
    CsvOptions csv = rows_.options(context);
    set_csv_options(fit, csv);
    const TableView table = open_table(learn_from_, csv, &fit.drop);
    return std::make_shared<LearningCurve>(learning_curve(
        table, {.fit = fit, .task = {std::string(model.task().name()), {}}, .levels = {options_.confidence}}, context));
  }

  std::string learn_from_;
  std::string data_, output_ = "report.html";
  ReportOptions options_;
  EmptySetOption empty_sets_;
  StreamArguments stream_;
  AlarmOptions alarms_;
  int threads_ = 0;
  bool skips_missing_target_ = false;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> report_command() {
  return listed_command<Report>("report", "writes one HTML page about a model's intervals or sets on rows with known targets",
                                "taut report houses.taut test.csv -o report.html --unit USD");
}

}  // namespace taut
