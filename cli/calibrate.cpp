#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/stream_options.hpp>
#include <cli/summary.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/parts.hpp>

namespace taut {

namespace {

class Calibrate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote; it is not changed", model_);
    arguments.positional("CAL.csv", "new rows with their targets that were not used in the fit", data_);
    arguments.option({"o,output", "FILE", "where the new model goes"}, output_, Needed::yes);
    arguments.option({"by", "COL,...",
                      "group-conditional (Mondrian) coverage, a guarantee within each group: values of any column, parts of a "
                      "number (age:5, or cut at age:18/40/65), prediction:5, scale:5, or combinations of these"},
                     options_.by);
    arguments.option({"other-groups", "whole-line|pool",
                      "with --by: the interval in a group without calibration rows, the whole line or that of all rows together"},
                     options_.other_groups);
    arguments.option({"keep-together", "COL",
                      "hierarchical: rows with the same value in this column count as one, and the guarantee is for a new value"},
                     options_.keep_together);
    arguments.option(
        {"weights", "COL",
         "covariate shift weights: how much likelier each row is among the rows to predict, which need the column too"},
        options_.weights);
    arguments.option({"towards", "NEW.csv",
                      "rows of the population to predict, without targets: covariate shift weights are learnt from them"},
                     towards_);
    arguments.flag_with_value({"local", "[ROWS]",
                               "localized: about ROWS calibration rows near the row to predict count; without a value a tenth of "
                               "them, at least 200"},
                              options_.local, 0);
    arguments.option({"local-in", "prediction|inputs",
                      "how nearness is measured: by prediction and scale, or by all inputs that are not categorical"},
                     options_.local_in);
    arguments.option(
        {"overlapping", "COL,...",
         "a guarantee for overlapping groups: every value of these columns, parts of a number (age:5), and along a number "
         "that is not cut into parts; intervals only"},
        options_.overlapping);
    arguments.flag(
        {"by-label", "", "classification: class-conditional coverage, for the rows of each true class", "class-conditional"},
        by_label_);
    arguments.option({"sure", "P",
                      "coverage of at least the confidence with this probability over calibration sets, for example 0.95; with "
                      "--by for all groups at once; 0: on average over them; if not given, as in the model"},
                     options_.sure);
    arguments.flag({"plain", "", "every calibration row has the same weight, whatever calibration the model had before"},
                   options_.plain);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    add_skip_missing_target(arguments, skips_missing_target_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    check_output(output_, {data_, towards_});
    alarms_.check({model_, data_}, {output_});
    Model model = Model::load(model_);
    const ExecutionContext context = terminal.context(threads_);
    if (by_label_ && model.task().n_target_values() == 0)
      throw UsageError("--by-label is about models of labels, and " + model_ + " predicts numbers; leave it out");
    refuse_model_with_past(model);
    if (by_label_) options_.by_label = true;
    if (!towards_.empty()) options_.towards = open_towards(model, context);
    options_.check();
    const TableView table = open_rows_of(model, context);
    // The new model leaves out such rows later only if the old one does.
    const bool skipped_before = model.set_skip_missing_target(skips_missing_target_ || model.options().skip_missing_target);
    const auto alarms = model.calibrate(table, context, options_);
    model.set_skip_missing_target(skipped_before);
    context.report("writing", 1);
    model.save(output_);
    terminal.say(format_text("{}: calibrated on {} of {}", output_, counted(model.distribution().rows(), "row"), data_));
    if (const Index skipped = table.rows() - model.distribution().rows(); skipped > 0)
      terminal.say(counted(skipped, "row") + (model.options().sample_weight.empty()
                                                  ? " without a target left out"
                                                  : " without a target or of weight 0 left out"));
    terminal.print(describe_calibration(model));
    const auto levels = usual_levels(model);
    warn_of_too_few_rows(model, levels, terminal);
    alarms_.raise(alarms, terminal);
  }

 private:
  // Groups and weights come from this file, so all columns are read as text or numbers. Otherwise the model's schema says how
  // cells are read.
  TableView open_rows_of(const Model& model, const ExecutionContext& context) const {
    if (model.options().sample_weight.empty() && (by_label_ || !options_.reads_further_columns(kind_of(model))))
      return rows_.open_as(!options_.kind() ? model.calibration_schema() : evaluation_columns(model), data_, context);
    return rows_.open_whole(model, data_, context);
  }

  // The columns of an evaluation, without those that only the model's present calibration needs.
  static std::vector<Column> evaluation_columns(const Model& model) {
    std::vector<Column> schema = model.input_and_given_schema();
    if (!model.time().name.empty() && !find_column(schema, model.time().name)) schema.push_back(model.time());
    for (const Column& target : model.targets()) {
      schema.push_back(target);
      schema.back().is_strict = !target.is_categorical();
    }
    return schema;
  }

  TableView open_towards(const Model& model, const ExecutionContext& context) const {
    try {
      return rows_.open_as(model.input_and_given_schema(), towards_, context);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw Error("--towards: " + std::string(error.what()));
    }
  }

  std::string model_, data_, output_, towards_;
  CalibrationOptions options_;
  bool by_label_ = false, skips_missing_target_ = false;
  AlarmOptions alarms_;
  int threads_ = 0;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> calibrate_command() {
  return listed_command<Calibrate>("calibrate", "gives a model new calibration rows",
                                   "taut calibrate houses.taut fresh.csv -o houses2.taut");
}

}  // namespace taut
