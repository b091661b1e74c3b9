#include <cli/alarms.hpp>
#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <cli/stream_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/data/table_file.hpp>
#include <taut/model/stream_options.hpp>
#include <taut/model/stream_safety.hpp>

#include <optional>

namespace taut {

namespace {

class Stream final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit, calibrate, stream or update wrote", model_);
    arguments.positional(
        "NEW.csv",
        "rows in the order in which they come, CSV, Parquet or Arrow; those without a target are predicted only; '-' for "
        "standard input, a pipe is answered line by line",
        data_);
    levels_.add(arguments);
    arguments.option(
        {"o,output", "FILE", "where the intervals or sets go, '-' for standard output; Parquet or Arrow by its ending"}, output_);
    arguments.option({"save", "FILE",
                      "where the model goes after the last row; while the stream runs, FILE.journal records what was learnt "
                      "since the last save, so "
                      "that a stream that is killed goes on from there"},
                     save_);
    arguments.option({"keep", "COL,...", "columns of NEW.csv to copy in front"}, keep_);
    empty_sets_.add(arguments);
    stream_.add(arguments);
    arguments.option(
        {"history", "FILE",
         "earlier rows, for example those of the fit: f and g are trained on all of them, once before the first row, "
         "or with --refit-every at every refit"},
        history_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    arguments.flag(
        {"skip-bad-lines", "",
         "skip lines that cannot be read (too few or too many cells, a target that is no number), and count them; every "
         "line is then a row, also where a quote is not closed"},
        skips_bad_lines_);
    alarms_.add(arguments);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    levels_.read();
    StreamOptions options = stream_.read();
    if (save_ == "-") throw UsageError("--save: expected the name of a file, got '-': standard output is for intervals");
    if (output_ != "-") check_output(output_, {model_, data_, history_});
    if (!save_.empty()) check_output(save_, {data_, history_});
    alarms_.check({model_, data_, history_}, {output_, save_});
    Model model = Model::load(model_);
    options.allow_empty = empty_sets_.checked(model);
    const ExecutionContext context = terminal.context(threads_);
    const bool is_live = is_pipe(data_);
    options.refits_in_background = is_live;
    CsvOptions csv = rows_.options(context);
    RowsToStream request{model_, data_, output_, save_, levels_, options, keep_, is_live, csv};
    report_replayed_rows(request, replay_journal(model, model_, context), terminal);
    std::optional<TableView> history;
    if (!history_.empty()) history = rows_.open_as(model.stream_schema(), history_, context);
    request.schema = rows_.applied_to(model.stream_schema(), context);
    request.csv.skips_bad_lines = skips_bad_lines_;
    request.history = history ? &*history : nullptr;
    alarms_.raise(stream_rows(model, request, context, terminal), terminal);
  }

 private:
  std::string model_, data_, output_ = "-", save_, history_;
  LevelOptions levels_;
  std::vector<std::string> keep_;
  EmptySetOption empty_sets_;
  StreamArguments stream_;
  AlarmOptions alarms_;
  int threads_ = 0;
  bool skips_bad_lines_ = false;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> stream_command() {
  return listed_command<Stream>("stream",
                                "predicts rows one after another and learns from each: intervals or sets that follow a drift",
                                "taut stream load.taut new.csv --delay 24 -o intervals.csv --save load2.taut");
}

}  // namespace taut
