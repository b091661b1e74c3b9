#include <cli/command.hpp>
#include <cli/csv_arguments.hpp>
#include <cli/levels.hpp>
#include <cli/output.hpp>
#include <cli/plan_text.hpp>
#include <taut/task/label/label_options.hpp>
#include <taut/core/error.hpp>
#include <taut/data/table_file.hpp>

namespace taut {

namespace {

class Plan final : public Command {
 public:
  Plan() { options_.effort = "quick"; }

  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows to draw a learning curve from; without it --rows plans by counting", data_,
                         Needed::no);
    arguments.option({"rows", "N", "what so many rows will deliver, exactly and at once; no file is read"}, rows_);
    levels_.add(arguments);
    arguments.option({"test-rows", "N", "with --rows: bands of the coverage that so many test rows will show"}, test_rows_);
    arguments.option({"repeats", "N", "with DATA.csv: how often parts are drawn, 2 to 5"}, repeats_);
    arguments.option({"parts", "N", "with DATA.csv: how many numbers of rows, each twice the one before"}, parts_);
    arguments.flag({"json", "", "for programs: JSON, full precision"}, json_);
    for_each_option(options_, [&arguments](const OptionText& text, auto& value) { arguments.option(text, value); });
    for_each_label_option(classes_, [&arguments](const OptionText& text, auto& value) { arguments.option(text, value); });
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    csv_.add(arguments);
  }

  void run(Terminal& terminal) override {
    levels_.read();
    if (data_.empty() == (rows_ == 0))
      throw UsageError("plan takes a table (DATA.csv and --target) or a number of rows (--rows N), one of them");
    data_.empty() ? count_rows() : learn(terminal);
  }

 private:
  void count_rows() const {
    constexpr Index most = 1'000'000'000'000;
    if (rows_ < 1 || rows_ > most) throw UsageError("--rows: 1 to 10^12, got " + std::to_string(rows_));
    if (test_rows_ < 0 || test_rows_ > most) throw UsageError("--test-rows: 0 to 10^12, got " + std::to_string(test_rows_));
    if (options_.is_in_order())
      throw UsageError(
          "plan --rows counts on rows that are exchangeable, and rows that come one after another are not; name a table for a "
          "learning curve in time, or leave --in-order and --order-by out");
    if (!options_.keep_together.empty())
      throw UsageError(
          "with --keep-together groups count, not rows: give the number of groups as --rows and leave --keep-together out");
    const BudgetQuestion question{.options = options_, .levels = levels_.values(), .test_rows = test_rows_};
    write_result(json_ ? budget_json(rows_, question) : budget_in_words(rows_, question));
  }

  void learn(Terminal& terminal) {
    if (test_rows_ != 0) throw UsageError("--test-rows belongs to --rows; a learning curve tests on a fifth of DATA.csv");
    options_.check();
    classes_.check();
    options_.check_columns();
    const ExecutionContext context = terminal.context(threads_);
    CsvOptions csv = csv_.options(context);
    read_by(options_, csv);
    const TableView table = open_table(data_, csv, &options_.drop);
    LearningCurveOptions how{.fit = options_, .levels = levels_.values(), .repeats = repeats_, .parts = parts_};
    if (predicts_labels(table, options_, classes_, false)) how.labels = classes_;
    const LearningCurve curve = learning_curve(table, how, context);
    write_result(json_ ? curve_json(curve) : curve_in_words(curve));
  }

  std::string data_;
  Index rows_ = 0, test_rows_ = 0, repeats_ = 3, parts_ = 4;
  LevelOptions levels_;
  FitOptions options_;
  LabelOptions classes_;
  bool json_ = false;
  int threads_ = 0;
  CsvArguments csv_;
};

}  // namespace

Listed<Command> plan_command() {
  return listed_command<Plan>("plan", "says how many rows are needed, by counting or by a learning curve",
                              "taut plan --rows 5000 --confidence 0.9,0.95");
}

}  // namespace taut
