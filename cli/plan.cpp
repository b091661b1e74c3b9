#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/table_file.hpp>
#include <taut/explain/learning_curve.hpp>
#include <taut/explain/row_budget.hpp>

#include <array>
#include <cmath>
#include <string>

namespace taut {

namespace {

constexpr std::array<Index, 4> row_multiples = {1, 2, 4, 10};  // numbers of rows that are shown, as multiples of --rows
constexpr std::array<double, 3> tolerances = {0.05, 0.02, 0.01};
constexpr Index max_rows_named = 1'000'000'000;

std::string band_text(const Band& band) {
  return format_text("{} to {}", print_rounded(band.low, 4), print_rounded(band.high, 4));
}

std::string band_text(const Extrapolated& one) {
  return format_text("{} ({} to {})", print_rounded(one.value, 4), print_rounded(one.low, 4), print_rounded(one.high, 4));
}

std::string describe_level(Index rows, const LevelBudget& level, const BudgetQuestion& question) {
  const RowBudget here = row_budget(rows, question);
  std::string text = "\nConfidence " + print_number(level.confidence) + "\n";
  const Index minimum = min_rows(level.confidence, question.options);
  if (level.rank > here.calibration_rows) {
    text += "  too few rows: intervals would be the whole line\n";
  } else {
    text += format_text("  delivered: {}, rank {} of {} calibration scores\n", print_rounded(level.delivered, 5),
                        print_count(level.rank), print_count(here.calibration_rows));
    text += format_text("  the coverage lies in {}, {} times in 100{}\n", band_text(level.band),
                        print_rounded(100 * question.probability, 3),
                        question.test_rows > 0 ? ", on " + counted(question.test_rows, "test row") : "");
  }
  text += "  at least " + counted(minimum, "row") + " are needed for this level\n";
  TextTable table;
  table.row({"  with rows", "for calibration", "delivered", "coverage"});
  for (const Index times : row_multiples) {
    const RowBudget budget = row_budget(times * rows, question);
    for (const LevelBudget& one : budget.levels)
      if (one.confidence == level.confidence)
        table.row({"  " + print_count(budget.rows), print_count(budget.calibration_rows), print_rounded(one.delivered, 5),
                   one.rank > budget.calibration_rows ? "whole line" : band_text(one.band)});
  }
  text += table.text();
  for (const double tolerance : tolerances) {
    if (level.confidence - tolerance <= 0 || level.confidence + tolerance >= 1) continue;
    const auto enough = rows_for_band(level.confidence, tolerance, question, max_rows_named);
    text += format_text("  for a coverage within {} of the level: {}\n", print_number(tolerance),
                        enough ? counted(*enough, "row") : "no number of rows is enough, because of the test rows");
  }
  return text;
}

Json band_json(const Band& band) { return {{"low", json_number(band.low)}, {"high", json_number(band.high)}}; }

Json budget_object(const RowBudget& budget) {
  Json levels = Json::array();
  for (const LevelBudget& level : budget.levels)
    levels.push_back({{"confidence", level.confidence},
                      {"rank", level.rank},
                      {"infinite", level.rank > budget.calibration_rows},
                      {"delivered", json_number(level.delivered)},
                      {"coverage", band_json(level.band)}});
  return {{"rows", budget.rows}, {"calibration_rows", budget.calibration_rows}, {"levels", levels}};
}

Json extrapolated_json(const std::vector<Extrapolated>& all) {
  Json list = Json::array();
  for (const Extrapolated& one : all)
    list.push_back({{"rows", json_number(one.rows)},
                    {"value", json_number(one.value)},
                    {"low", json_number(one.low)},
                    {"high", json_number(one.high)}});
  return list;
}

std::string describe_budget(Index rows, const BudgetQuestion& question) {
  const RowBudget budget = row_budget(rows, question);
  std::string text = format_text("{}, of which {} calibrate\n", counted(rows, "row"), print_count(budget.calibration_rows));
  for (const LevelBudget& level : budget.levels) text += describe_level(rows, level, question);
  return text;
}

std::string budget_json(Index rows, const BudgetQuestion& question) {
  Json json = budget_object(row_budget(rows, question));
  json["probability"] = question.probability;
  json["test_rows"] = question.test_rows;
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    Json& level = json["levels"][i];
    level["least_rows"] = min_rows(question.levels[i], question.options);
    Json within = Json::array();
    for (const double tolerance : tolerances) {
      const auto enough = rows_for_band(question.levels[i], tolerance, question, max_rows_named);
      within.push_back({{"within", tolerance}, {"rows", enough ? Json(*enough) : Json(nullptr)}});
    }
    level["rows_for_coverage"] = within;
  }
  Json others = Json::array();
  for (const Index times : row_multiples)
    if (times > 1) others.push_back(budget_object(row_budget(times * rows, question)));
  json["more_rows"] = others;
  return json_text(json);
}

std::string describe_curve(const LearningCurve& curve) {
  const std::string test_rows = print_count(curve.test_rows);
  const std::string design =
      curve.in_time      ? format_text("fitted on the rows just before a block in time, tested on its {} rows", test_rows)
      : curve.groups > 0 ? format_text("in {}: fitted on some whole groups, tested on about {} rows of others",
                                       counted(curve.groups, "group"), test_rows)
                         : format_text("fitted on parts of them, tested on {} others", test_rows);
  std::string text = format_text("{}{}{}, {} times; {} seconds\n", counted(curve.rows, "row"), curve.groups > 0 ? " " : ": ",
                                 design, curve.repeats, print_rounded(curve.seconds, 3));
  for (const LevelCurve& level : curve.levels) {
    TextTable table;
    std::vector<std::string> head = {"rows", "coverage", "mean " + curve.words.size, "±"};
    if (curve.words.are_intervals) head.insert(head.end(), {"interval score", "±"});
    table.row(head);
    for (const CurveRow& row : level.found) {
      std::vector<std::string> cells = {print_count(row.rows), print_rounded(row.coverage, 3), print_rounded(row.width, 4),
                                        print_rounded(row.width_error, 2)};
      if (curve.words.are_intervals) cells.insert(cells.end(), {print_rounded(row.score, 4), print_rounded(row.score_error, 2)});
      table.row(cells);
    }
    text += format_text("\nConfidence {}\n{}\nExpected, with a band that holds {} times in 100 for the result of such a test\n",
                        print_number(level.confidence), table.text(), print_rounded(100 * curve.band_probability, 3));
    TextTable ahead;
    std::vector<std::string> ahead_head = {"rows", "mean " + curve.words.size};
    if (curve.words.are_intervals) ahead_head.emplace_back("interval score");
    ahead.row(ahead_head);
    for (std::size_t i = 0; i < level.scores.size(); ++i) {
      std::vector<std::string> cells = {print_count(static_cast<long long>(level.scores[i].rows)), band_text(level.widths[i])};
      if (curve.words.are_intervals) cells.push_back(band_text(level.scores[i]));
      ahead.row(cells);
    }
    text += ahead.text() + "\n" + describe_worth(level, curve.words) + "\n";
  }
  return text;
}

std::string curve_json(const LearningCurve& curve) {
  Json levels = Json::array();
  for (const LevelCurve& level : curve.levels) {
    Json found = Json::array();
    const std::string size = "mean_" + curve.words.size;
    for (const CurveRow& row : level.found) {
      found.push_back({{"rows", row.rows},
                       {"coverage", json_number(row.coverage)},
                       {size, json_number(row.width)},
                       {size + "_error", json_number(row.width_error)}});
      if (curve.words.are_intervals)
        found.back().update({{"interval_score", json_number(row.score)}, {"interval_score_error", json_number(row.score_error)}});
    }
    Json one = {{"confidence", level.confidence},
                {"found", found},
                {"common_error", json_number(level.common_error)},
                {"repeat_error", json_number(level.repeat_error)},
                {"expected_" + size, extrapolated_json(level.widths)}};
    if (curve.words.are_intervals) one["expected_interval_score"] = extrapolated_json(level.scores);
    one["words"] = describe_worth(level, curve.words);
    levels.push_back(std::move(one));
  }
  return json_text({{"rows", curve.rows},
                    {"test_rows", curve.test_rows},
                    {"repeats", curve.repeats},
                    {"design", curve.in_time      ? "time"
                               : curve.groups > 0 ? "groups"
                                                  : "rows"},
                    {"seconds", json_number(curve.seconds)},
                    {"band_probability", curve.band_probability},
                    {"levels", levels}});
}

class Plan final : public Command {
 public:
  Plan() { options_.effort = "quick"; }

  void add_options(Arguments& arguments) override {
    arguments.positional("DATA.csv", "rows for a learning curve; without it --rows plans by counting", data_, Needed::no);
    arguments.option({"rows", "N", "the coverage that N rows deliver, computed exactly; no file is read"}, rows_);
    levels_.add(arguments);
    arguments.option({"test-rows", "N", "with --rows: bands of the coverage measured on N test rows"}, test_rows_);
    arguments.option({"repeats", "N", "with DATA.csv: random subsets of each number of rows, 2 to 5"}, repeats_);
    arguments.option({"parts", "N", "with DATA.csv: how many numbers of rows are tried, each twice the one before"}, parts_);
    arguments.flag({"json", "", "for programs: JSON, full precision"}, json_);
    for_each_option(options_, [&arguments](const OptionText& text, auto& value) {
      // The repeats of this command are subsets, and its fits have no budget.
      if (text.name != "repeats" && text.name != "time") arguments.option(text, value);
    });
    task_.add(arguments);
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
    constexpr Index maximum = 1'000'000'000'000;
    if (rows_ < 1 || rows_ > maximum) throw UsageError("--rows: 1 to 10^12, got " + std::to_string(rows_));
    if (test_rows_ < 0 || test_rows_ > maximum) throw UsageError("--test-rows: 0 to 10^12, got " + std::to_string(test_rows_));
    if (options_.is_in_order())
      throw UsageError(
          "plan --rows assumes exchangeable rows, and rows in time order are not exchangeable; name a table for a "
          "learning curve in time, or leave --in-order and --order-by out");
    if (!options_.keep_together.empty())
      throw UsageError(
          "with --keep-together groups count, not rows: give the number of groups as --rows and leave --keep-together out");
    const BudgetQuestion question{.options = options_, .levels = levels_.values(), .test_rows = test_rows_};
    write_result(json_ ? budget_json(rows_, question) : describe_budget(rows_, question));
  }

  void learn(Terminal& terminal) {
    if (test_rows_ != 0) throw UsageError("--test-rows belongs to --rows; a learning curve tests on a fifth of DATA.csv");
    options_.check();
    const TaskChoice task = task_.choice();
    options_.check_columns();
    const ExecutionContext context = terminal.context(threads_);
    CsvOptions csv = csv_.options(context);
    set_csv_options(options_, csv);
    const TableView table = open_table(data_, csv, &options_.drop);
    const LearningCurve curve = learning_curve(
        table, {.fit = options_, .task = task, .levels = levels_.values(), .repeats = repeats_, .parts = parts_}, context);
    write_result(json_ ? curve_json(curve) : describe_curve(curve));
  }

  std::string data_;
  Index rows_ = 0, test_rows_ = 0, repeats_ = 3, parts_ = 4;
  LevelOptions levels_;
  FitOptions options_;
  TaskArguments task_;
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
