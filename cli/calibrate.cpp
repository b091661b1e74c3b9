#include <cli/alarms.hpp>
#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/model.hpp>

namespace taut {

namespace {

class Calibrate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote; it is not changed", model_);
    arguments.positional("CAL.csv", "fresh rows with their targets, which played no part in the fit", data_);
    arguments.option({"o,output", "FILE", "where the new model goes"}, output_, Needed::yes);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    check_output(output_, {data_});
    alarms_.check({model_, data_});
    Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    const TableView table = open_table_as(model.evaluation_schema(), data_, csv_.options(context));
    const auto alarms = model.calibrate(table, context);
    context.report("writing", 1);
    model.save(output_);
    terminal.say(output_ + ": calibrated on " + counted(model.law().rows(), "row") + " of " + data_);
    if (const Index skipped = table.rows() - model.law().rows(); skipped > 0)
      terminal.say(counted(skipped, "row") + " without a target left out");
    terminal.print(calibration_in_words(model));
    const auto levels = usual_levels(model);
    warn_of_too_few_rows(model, levels, terminal);
    alarms_.raise(alarms, terminal);
  }

 private:
  std::string model_, data_, output_;
  AlarmOptions alarms_;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> calibrate_command() {
  return listed_command<Calibrate>("calibrate", "gives a model new calibration rows",
                                   "taut calibrate houses.taut fresh.csv -o houses2.taut");
}

}  // namespace taut
