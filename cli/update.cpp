#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <taut/guard/unusable_columns.hpp>

namespace taut {

namespace {

class Update final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit, calibrate, stream or update wrote", model_);
    arguments.positional("NEW.csv", "rows with their targets, in the order in which they came; '-' for standard input", data_);
    arguments.option({"o,output", "FILE", "where the model goes; it may be MODEL.taut"}, output_, Needed::yes);
    levels_.add(arguments);
    stream_.add(arguments);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    const StreamOptions options = stream_.read();
    std::vector<double> levels;
    if (levels_.given()) {
      levels_.read();
      levels = levels_.values();
    }
    check_output(output_, {data_});
    alarms_.check({model_, data_}, {output_});
    Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    const TableView table = rows_.open_as(model.stream_schema(), data_, context);
    const TableView inputs = inputs_of_stream(model, table);
    UsableColumns usable;
    usable.add(inputs);
    const auto alarms = model.alarms_of_columns(usable, inputs.mismatches());
    StreamTally tally;
    tally.add(*model.update(table, options, context, levels));
    context.report("writing", 1);
    model.save(output_);
    tally.print_summary(output_ + ": updated by " + data_, model.refits(), model.stream_state(), terminal);
    alarms_.raise(alarms, terminal);
  }

 private:
  std::string model_, data_, output_;
  LevelOptions levels_;
  StreamArguments stream_;
  AlarmOptions alarms_;
  int threads_ = 0;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> update_command() {
  return listed_command<Update>("update", "updates a model's scores and levels with newer rows; f and g stay",
                                "taut update load.taut yesterday.csv -o load.taut");
}

}  // namespace taut
