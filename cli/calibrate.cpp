#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/stream_options.hpp>
#include <cli/summary.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/parts.hpp>

namespace taut {

namespace {

class Calibrate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote; it is not changed", model_);
    arguments.positional("CAL.csv", "fresh rows with their targets, which played no part in the fit", data_);
    arguments.option({"o,output", "FILE", "where the new model goes"}, output_, Needed::yes);
    arguments.option({"by", "COL,...",
                      "the guarantee within each group: of a column, inputs or not, of a number in parts (age:5, or cut at "
                      "age:18/40/65), of prediction:5, scale:5, and of each combination"},
                     how_.by);
    arguments.option({"other-groups", "whole-line|pool",
                      "with --by: what a group without calibration rows gets, the whole line or what holds on average"},
                     how_.other_groups);
    arguments.option({"keep-together", "COL", "rows with the same value here count as one: the guarantee is for a new value"},
                     how_.keep_together);
    arguments.option(
        {"weights", "COL", "how much likelier each row is among the rows to predict; rows to predict need the column too"},
        how_.weights);
    arguments.option({"towards", "NEW.csv", "rows of another population, without targets: the weights are learnt"}, towards_);
    arguments.flag_with_value({"local", "[ROWS]",
                               "calibration rows near the row to predict count, about so many of them; alone: a tenth, at least "
                               "200"},
                              how_.local, 0);
    arguments.option({"local-in", "prediction|inputs",
                      "where rows are near: in prediction and scale, or in all inputs that are no categories"},
                     how_.local_in);
    arguments.option(
        {"overlapping", "COL,...",
         "the guarantee for groups that overlap: of each value of these columns at once, of parts (age:5), and for numbers "
         "that are not cut along them; intervals only"},
        how_.overlapping);
    arguments.flag({"by-label", "", "models of labels: the guarantee for the rows of each true label"}, by_label_);
    arguments.option({"sure", "P",
                      "coverage of at least the confidence with this probability over calibration sets, for example 0.95; with "
                      "--by for all groups at once; 0: on average over them; without it as the model has it"},
                     how_.sure);
    arguments.flag({"plain", "", "every calibration row counts alike, whatever the model had before"}, how_.plain);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    check_output(output_, {data_, towards_});
    alarms_.check({model_, data_}, output_);
    Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    if (by_label_ && model.task().n_target_values() == 0)
      throw UsageError("--by-label is about models of labels, and " + model_ + " predicts numbers; leave it out");
    refuse_past(model);
    if (by_label_) how_.by_label = true;
    if (!towards_.empty()) how_.towards = open_towards(model, context);
    how_.check();
    const TableView table = open_rows_of(model, context);
    const auto alarms = model.calibrate(table, context, how_);
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
  // Groups are found in this file, so their texts are read as they stand; everything else by what the model knows of its columns.
  TableView open_rows_of(const Model& model, const ExecutionContext& context) const {
    const CsvOptions csv = csv_.options(context);
    if (by_label_ || !how_.reads_further_columns(kind_of(model)))
      return open_table_as(!how_.kind() ? model.calibration_schema() : evaluation_columns(model), data_, csv);
    return open_whole_table(model, data_, csv);
  }

  // Without what the kind that the model has so far asks for.
  static std::vector<Column> evaluation_columns(const Model& model) {
    std::vector<Column> schema = model.input_and_given_schema();
    if (!model.time().name.empty() && !find_column(schema, model.time().name)) schema.push_back(model.time());
    schema.push_back(model.target());
    schema.back().is_strict = !schema.back().is_categorical();
    return schema;
  }

  TableView open_towards(const Model& model, const ExecutionContext& context) const {
    try {
      return open_table_as(model.input_and_given_schema(), towards_, csv_.options(context));
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw Error("--towards: " + std::string(error.what()));
    }
  }

  std::string model_, data_, output_, towards_;
  CalibrationOptions how_;
  bool by_label_ = false;
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
