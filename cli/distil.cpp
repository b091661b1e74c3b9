#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/summary.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>

namespace taut {

namespace {

class Distil final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "the teacher: a model of numbers that fit, calibrate or distil wrote; it is not changed",
                         model_);
    arguments.positional("ROWS.csv", "rows of the kind to be predicted, on which the teacher is imitated; they need no target",
                         data_);
    arguments.option({"o,output", "FILE", "where the student goes"}, output_, Needed::yes);
    arguments.option({"calibrate-with", "FILE",
                      "calibration rows of the student, with their targets, that the teacher was not trained on; without it a "
                      "fifth of ROWS.csv, if they have the target and did not train the teacher, else none"},
                     calibration_);
    arguments.option({"seed", "N", "same seed, same student, whatever the number of threads; by default that of the teacher"},
                     seed_);
    arguments.option(
        {"learn-from", "N", "number of rows to learn from: if ROWS.csv has fewer, others are made from them; 0: none are made"},
        learn_from_);
    alarms_.add(arguments);
    arguments.flag({"verbose", "", "also print every part of the student, as 'taut info' does later"}, verbose_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    check_output(output_, {model_, data_, calibration_});
    alarms_.check({model_, data_, calibration_}, {output_});
    const Regressor teacher = as_regressor(Model::load(model_), model_, "only models of numbers can be distilled");
    ExecutionContext context = terminal.context(threads_);
    if (verbose_) context.details = context.say;
    const TableView rows = rows_.open_whole(teacher, data_, context);
    std::optional<TableView> calibration;
    if (!calibration_.empty()) {
      calibration = rows_.open_whole(teacher, calibration_, context);
      if (calibration->rows() == 0) throw Error(calibration_ + ": there are no rows to calibrate on");
    }
    const Regressor student =
        teacher.distil(rows, {.teacher = model_, .seed = seed_, .learn_from = learn_from_}, context, calibration);
    context.report("writing", 1);
    student.save(output_);
    terminal.say(
        format_text("{}: a student of {}, on {} of {}", output_, model_, counted(student.record().predictor_rows, "row"), data_));
    if (verbose_) terminal.print(student.describe_fit());
    if (student.calibration_rows() == 0) {
      terminal.say(
          format_text("the student is not calibrated, so nothing is promised and {}: 'taut calibrate {} FRESH.csv' does it "
                      "with labelled rows that did not train the teacher",
                      student.task().describe_unbounded(), output_));
    } else {
      terminal.print(describe_calibration(student));
      const auto levels = usual_levels(student);
      warn_of_too_few_rows(student, levels, terminal);
    }
    alarms_.raise(student.alarms_of_fit(), terminal);
  }

 private:
  std::string model_, data_, output_, calibration_;
  std::optional<Index> seed_;
  Index learn_from_ = DistilOptions{}.learn_from;
  AlarmOptions alarms_;
  bool verbose_ = false;
  int threads_ = 0;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> distil_command() {
  return listed_command<Distil>("distil", "trains a smaller, faster model that imitates another one",
                                "taut distil houses.taut more.csv --calibrate-with fresh.csv -o small.taut");
}

}  // namespace taut
