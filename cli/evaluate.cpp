#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_options.hpp>
#include <cli/trace_option.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_report.hpp>

#include <optional>

namespace taut {

namespace {

class Evaluate final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("TEST.csv", "rows with their targets that the model has not seen, '-' for standard input", data_);
    levels_.add(arguments);
    arguments.option({"by", "COL,...",
                      "also a line for each group of rows: values of a column, parts of a number (age:5), prediction:5, scale:5"},
                     by_);
    arguments.option({"sample-weight", "COL",
                      "also coverage and scores in which each row counts by its weight; for a model with --calibrate-by-weight "
                      "always by that column"},
                     sample_weight_);
    arguments.flag(
        {"in-order", "",
         "also evaluate a stream: rows in order, each predicted before it is learnt from; shows rolling coverage, its worst "
         "window, and how far levels moved"},
        in_order_);
    empty_sets_.add(arguments);
    stream_.add(arguments);
    arguments.flag({"json", "", "for programs: JSON, full precision, null where a number is not defined"}, json_);
    alarms_.add(arguments);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    trace_.add(arguments);
    add_skip_missing_target(arguments, skips_missing_target_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    trace_.run(terminal, threads_, {model_, data_}, [&] { evaluate(terminal); });
  }

 private:
  void evaluate(Terminal& terminal) {
    levels_.read();
    alarms_.check({model_, data_});
    StreamOptions options = stream_.read();
    if (stream_.given() && !in_order_) throw UsageError(StreamArguments::names() + " go with --in-order");
    Model model = Model::load(model_);
    options.allow_empty = empty_sets_.checked(model);
    const ExecutionContext context = terminal.context(threads_);
    if (!in_order_) refuse_model_with_past(model);
    if (skips_missing_target_) model.set_skip_missing_target(true);
    const bool is_whole = !by_.empty() || !sample_weight_.empty();
    const TableView table = in_order_ && !is_whole ? rows_.open_as(model.stream_schema(), data_, context)
                                                   : rows_.open_test_rows(model, data_, context, is_whole);
    const auto evaluation = model.evaluate(table, levels_.values(), context, by_, options.allow_empty, sample_weight_);
    std::optional<StreamReport> stream;
    if (in_order_) {
      stream = evaluate_stream(*model.stream(table, levels_.values(), options, context));
      // --in-order is for rows that are not exchangeable, so a coverage alarm would say nothing new.
      std::erase_if(evaluation->alarms, [](const Alarm& alarm) { return alarm.kind == AlarmKind::coverage; });
    }
    if (evaluation->rows < table.rows())
      terminal.say(counted(table.rows() - evaluation->rows, "row") + (evaluation->weighted.column.empty()
                                                                          ? " without a target left out"
                                                                          : " without a target or of weight 0 left out"));
    for (const auto& remark : evaluation->remarks()) terminal.say(remark);
    if (json_) {
      Value facts = evaluation->facts();
      if (stream) facts.set("in_order", facts_of(*stream, evaluation->words));
      write_result(json_text(json_of(facts)));
    } else {
      write_result(evaluation->describe() + (stream ? describe(*stream, evaluation->words) : ""));
    }
    alarms_.raise(evaluation->alarms, terminal);
  }

  std::string model_, data_, sample_weight_;
  LevelOptions levels_;
  std::vector<std::string> by_;
  bool in_order_ = false, skips_missing_target_ = false;
  EmptySetOption empty_sets_;
  StreamArguments stream_;
  bool json_ = false;
  AlarmOptions alarms_;
  int threads_ = 0;
  TraceOption trace_;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> evaluate_command() {
  return listed_command<Evaluate>("evaluate", "says how good a model's intervals or sets are on rows with known targets",
                                  "taut evaluate houses.taut test.csv --confidence 0.9 --json");
}

}  // namespace taut
