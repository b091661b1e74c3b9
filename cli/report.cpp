#include <taut/report/report.hpp>

#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/stream_options.hpp>
#include <taut/core/error.hpp>
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
    arguments.option({"confidence", "LEVEL", "where the page's slider stands at first, between 0 and 1"}, options_.confidence);
    arguments.option({"by", "COL,...",
                      "a picture of the coverage of each group of rows: of a column, of a number in parts (age:5), of "
                      "prediction:5, scale:5"},
                     options_.by);
    arguments.option(
        {"learning-curve", "FILE",
         "a picture of what more rows would buy, from fits on growing parts of this table, as 'taut plan' makes them; "
         "for example the rows that trained the model"},
        learn_from_);
    arguments.option({"unit", "TEXT", "what the target is measured in, for words and axes: EUR, minutes"}, options_.unit);
    arguments.option({"title", "TEXT", "title of the page; one that names the target where not given"}, options_.title);
    arguments.flag({"in-order", "",
                    "also pictures along time, of a stream that predicts each row and then learns from it: coverage, width or "
                    "size, intervals"},
                   options_.in_order);
    stream_.add(arguments);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    require_page();
    check_output(output_, {options_.model_file, data_, learn_from_});
    alarms_.check({options_.model_file, data_}, output_);
    options_.stream = stream_.read();
    if (stream_.given() && !options_.in_order) throw UsageError(StreamArguments::names() + " go with --in-order");
    const Model model = Model::load(options_.model_file);
    const ExecutionContext context = terminal.context(threads_);
    if (!options_.in_order) refuse_past(model);
    if (!learn_from_.empty() && !model.task().region_words().are_intervals)
      throw UsageError("--learning-curve is about numbers, and " + options_.model_file + " predicts labels; leave it out");
    const TableView test = options_.in_order && options_.by.empty()
                               ? open_table_as(model.stream_schema(), data_, csv_.options(context))
                               : open_test_rows(model, data_, csv_.options(context), !options_.by.empty());
    if (!learn_from_.empty()) options_.learning_curve = learn(model, context);
    write_report(model, test, output_, options_, context);
    if (output_ != "-") terminal.say(output_ + ": a report on " + counted(test.rows(), "row") + " of " + data_);
    auto alarms = model.evaluate(test, std::vector{options_.confidence}, context)->alarms;
    // That rows are not exchangeable is why they are taken in order.
    if (options_.in_order) std::erase_if(alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
    alarms_.raise(alarms, terminal);
  }

 private:
  // With the model's own options but quick ones, so that it takes seconds.
  std::shared_ptr<const LearningCurve> learn(const Model& model, const ExecutionContext& context) const {
    FitOptions fit = model.options();
    fit.effort = "quick";
    CsvOptions csv = csv_.options(context);
    read_by(fit, csv);
    const TableView table = open_table(learn_from_, csv, &fit.drop);
    return std::make_shared<LearningCurve>(learning_curve(
        table, {.fit = fit, .task = {std::string(model.task().name()), {}}, .levels = {options_.confidence}}, context));
  }

  std::string learn_from_;
  std::string data_, output_ = "report.html";
  ReportOptions options_;
  StreamArguments stream_;
  AlarmOptions alarms_;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> report_command() {
  return listed_command<Report>("report", "writes one HTML page about a model's intervals or sets on rows with known targets",
                                "taut report houses.taut test.csv -o report.html --unit USD");
}

}  // namespace taut
